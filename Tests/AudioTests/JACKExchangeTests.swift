import LinuxIO
import Synchronization
import Testing

@testable import Audio

/// If one of these fails, a server with very long periods is silent for ever, and says nothing.
@Suite struct JACKExchangeTests {
  private func exchange(period: Int) throws -> UnsafeMutablePointer<JACKExchange> {
    let library = try JACKLibrary()
    // Never called: there are no ports, and cycles without room ask for no time.
    let client = try #require(OpaquePointer(bitPattern: 16))
    let exchange = UnsafeMutablePointer<JACKExchange>.allocate(capacity: 1)
    exchange.initialize(
      to: JACKExchange(
        JACKCalls(library, client, rate: 48000), rate: 48000, period: period, outputs: [],
        inputs: []))
    return exchange
  }

  @Test func thereIsRoomForThePeriodOfTheServer() throws {
    for (period, room) in [(256, 16384), (16384, 16384), (65536, 65536)] {
      let exchange = try exchange(period: period)
      #expect(exchange.pointee.room == room)
      exchange.deinitialize(count: 1)
      exchange.deallocate()
    }
  }

  /// The server's period grows during the run beyond what there is room for: PERFORM is told, and leaves.
  @Test func aPeriodWithoutRoomEndsTheWait() throws {
    let exchange = try exchange(period: 256)
    exchange.pointee.isAttached.store(true, ordering: .releasing)
    JACKExchange.run(exchange, frames: 32768)
    let hasGone = exchange.pointee.go.wait(until: monotonicNow() + 10_000_000_000)
    #expect(hasGone)
    let isOutgrown = exchange.pointee.isOutgrown.load(ordering: .acquiring)
    let isAttached = exchange.pointee.isAttached.load(ordering: .acquiring)
    #expect(isOutgrown && !isAttached)
    exchange.deinitialize(count: 1)
    exchange.deallocate()
  }
}
