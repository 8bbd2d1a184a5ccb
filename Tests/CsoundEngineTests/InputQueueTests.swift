import Testing

@testable import CsoundEngine

/// If one of these fails, the microphone is heard with gaps, twice, or from the wrong moment.
@Suite struct InputQueueTests {
  /// Periods come in, k-cycles go out, as the loop computes them: every frame once, in order, after one k-cycle of
  /// silence at most, and never too few.
  @Test(arguments: [(256, 32), (256, 10), (64, 100), (441, 32), (1, 7)])
  func framesComeOutInOrder(period: Int, ksmps: Int) throws {
    var queue = InputQueue(channels: 2, capacity: 2 * (period + ksmps))
    defer { queue.deallocate() }
    let silence = period % ksmps == 0 ? 0 : ksmps
    queue.restart(silence: silence)
    var heard: [Double] = []
    var captured = 0
    var ahead = 0
    for _ in 0..<50 {
      let place = queue.append(period)
      for frame in 0..<period {
        captured += 1
        place[2 * frame] = Double(captured)
        place[2 * frame + 1] = -Double(captured)
      }
      while ahead < period {
        let next = queue.next(ksmps)
        let block = try #require(next)
        heard += (0..<ksmps).map { block[2 * $0] }
        #expect((0..<ksmps).allSatisfy { block[2 * $0 + 1] == -block[2 * $0] })
        ahead += ksmps
      }
      ahead -= period
    }
    let expected = (0..<heard.count).map { Double(max($0 + 1 - silence, 0)) }
    #expect(heard == expected)
    #expect(captured - (heard.count - silence) <= ksmps)
  }

  /// After a device was lost, what the old one had captured is not heard through the new one.
  @Test func aNewDeviceBeginsWithSilence() throws {
    var queue = InputQueue(channels: 1, capacity: 100)
    defer { queue.deallocate() }
    queue.append(50).update(repeating: 1, count: 50)
    queue.restart(silence: 10)
    let next = queue.next(10)
    let block = try #require(next)
    #expect((0..<10).allSatisfy { block[$0] == 0 })
    let rest = queue.next(1)
    #expect(rest == nil)
  }

  @Test func withoutInputNothingIsKept() {
    var queue = InputQueue(channels: 0, capacity: 100)
    defer { queue.deallocate() }
    queue.restart(silence: 10)
    let rest = queue.next(1)
    #expect(rest == nil)
  }
}
