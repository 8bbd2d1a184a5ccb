import Events
import Testing

@Suite struct SPSCRingTests {
  @Test func keepsOrderAndRefusesWhenFull() {
    let ring = SPSCRing<Int>(capacity: 4)
    for value in 1...4 { #expect(ring.push(value)) }
    #expect(!ring.push(5))
    #expect(ring.dropCount == 1)
    #expect([ring.pop(), ring.pop(), ring.pop(), ring.pop(), ring.pop()] == [1, 2, 3, 4, nil])
  }

  @Test func carriesEveryElementAcrossThreads() async {
    let ring = SPSCRing<Int>(capacity: 64)
    let total = 100_000
    let producer = Task.detached {
      for value in 0..<total { while !ring.push(value) { await Task.yield() } }
    }
    var expected = 0
    while expected < total {
      guard let value = ring.pop() else {
        await Task.yield()
        continue
      }
      #expect(value == expected)
      expected += 1
    }
    await producer.value
  }
}
