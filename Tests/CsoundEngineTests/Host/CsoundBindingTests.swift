import CsoundEngine
import Events
import LabSupport
import LinuxIO
import Synchronization
import Testing

/// If one of these fails, what a program binds to the music misses k-cycles or outlives the instance.
@Suite struct CsoundBindingTests {
  private let counter = csd(
    """
    instr 1
     k1 init 0
     k1 = k1 + 1
     chnset k1, "count"
     k2 chnget "in"
     chnset k2, "out"
    endin
    schedule 1, 0, -1
    """)

  @Test func everythingIsCalledInItsOrder() throws {
    let csound = CsoundObj()
    let calls = Mutex<[String]>([])
    for name in ["a", "b"] {
      let binding = csound.addBinding(TestBinding())
      binding.onSetup = { _ in calls.withLock { $0.append("setup \(name)") } }
      binding.onBefore = { calls.withLock { $0.append("to \(name)") } }
      binding.onAfter = { calls.withLock { $0.append("from \(name)") } }
      binding.onCleanup = { calls.withLock { $0.append("cleanup \(name)") } }
    }
    try play(csound, counter)
    #expect(eventually { calls.withLock { $0.count > 20 } })
    csound.stop()
    let made = calls.withLock { $0 }
    #expect(made.prefix(2) == ["setup a", "setup b"])
    #expect(made.suffix(2) == ["cleanup a", "cleanup b"])
    let cycles = Array(made.dropFirst(2).dropLast(2))
    #expect(cycles.count % 4 == 0)
    for start in stride(from: 0, to: cycles.count, by: 4) {
      #expect(cycles[start..<start + 4] == ["to a", "to b", "from a", "from b"])
    }
  }

  @Test func theyMayComeAndGoWhileTheMusicPlays() throws {
    let csound = CsoundObj()
    try play(csound, counter)
    let state = Atomic<Int>(0)
    let binding = TestBinding()
    binding.onSetup = { _ in state.store(1, ordering: .relaxed) }
    binding.onAfter = { _ = state.compareExchange(expected: 1, desired: 2, ordering: .relaxed) }
    binding.onCleanup = { state.store(3, ordering: .relaxed) }
    csound.addBinding(binding)
    csound.addBinding(binding)
    #expect(eventually { state.load(ordering: .relaxed) == 2 })
    csound.removeBinding(binding)
    #expect(eventually { state.load(ordering: .relaxed) == 3 })
    csound.stop()
    #expect(state.load(ordering: .relaxed) == 3)
  }

  @Test func valuesReachTheOrchestraAndComeBack() throws {
    let csound = CsoundObj()
    let input = try csound.controlChannel("in")
    let output = try csound.controlChannel("out")
    input.value = 0.25
    try play(csound, counter)
    #expect(eventually { output.value == 0.25 })
    input.value = 0.5
    #expect(eventually { output.value == 0.5 })
    #expect(output.takeChange())
    #expect(!output.takeChange())
    input.value = .nan
    #expect(input.value == 0.5)
    csound.stop()
    // The next run begins with what was written last.
    try play(csound, counter)
    #expect(eventually { output.takeChange() && output.value == 0.5 })
    csound.stop()
    #expect(try csound.controlChannel("in") === input)
    #expect(throws: EngineError.self) { try csound.controlChannel("") }
    #expect(throws: EngineError.self) {
      try csound.controlChannel(String(repeating: "x", count: 1024))
    }
  }

  @Test func aChannelOfAnotherTypeIsNamed() throws {
    let csound = CsoundObj()
    let said = Mutex<[String]>([])
    csound.onMessage { message in said.withLock { $0.append(message.text) } }
    let channel = try csound.controlChannel("name")
    try play(csound, csd("chn_S \"name\", 3\ninstr 1\nendin"))
    #expect(
      eventually {
        said.withLock { $0.contains { $0.contains("The channel name is not a control") } }
      })
    channel.value = 3
    #expect(channel.value == 3)
    csound.stop()
  }

  /// Three presses between two k-cycles are three notes.
  @Test func aPulseIsOneCycleAndNoneIsLost() throws {
    let csound = CsoundObj()
    let button = try csound.controlChannel("button")
    let ups = try csound.controlChannel("ups")
    let cycles = try csound.controlChannel("cycles")
    try play(
      csound,
      csd(
        """
        instr 1
         kups init 0
         kcycles init 0
         klast init 0
         k1 chnget "button"
         kcycles = kcycles + k1
         if k1 > klast then
          kups = kups + 1
         endif
         klast = k1
         chnset kups, "ups"
         chnset kcycles, "cycles"
        endin
        schedule 1, 0, -1
        """))
    for _ in 0..<3 { button.pulse() }
    #expect(eventually { ups.value == 3 })
    for _ in 0..<1000 { button.pulse() }
    #expect(eventually { ups.value == 1003 })
    #expect(cycles.value == 1003)
    csound.stop()
  }

  /// No value is torn or lost when four threads move one channel.
  @Test func manyThreadsMayMoveOneChannel() throws {
    final class Mover: ThreadBody {
      let channel: ControlChannel
      let number: Int
      let isTorn = Atomic<Bool>(false)
      init(_ channel: ControlChannel, _ number: Int) {
        self.channel = channel
        self.number = number
      }
      func run() {
        for step in 0..<Repetition.count(of: 500_000) {
          channel.value = Double(number) + Double(step % 1000) / 1024
          let seen = channel.value
          // Only what somebody wrote is ever seen: quarters of thousands, from 1 to 5.
          if seen != 0 && (seen < 1 || seen >= 5 || (seen * 1024).rounded() != seen * 1024) {
            isTorn.store(true, ordering: .relaxed)
          }
        }
        channel.value = Double(number)
      }
    }
    let csound = CsoundObj()
    let input = try csound.controlChannel("in")
    let output = try csound.controlChannel("out")
    try play(csound, counter)
    let movers = (1...4).map { Mover(input, $0) }
    let threads = try movers.map { try BackgroundTask.start($0) }
    for thread in threads { #expect(thread.wait(atMost: 60 * .perSecond)) }
    #expect(movers.allSatisfy { !$0.isTorn.load(ordering: .relaxed) })
    let last = input.value
    #expect((1...4).contains(last))
    #expect(eventually { output.value == last })
    csound.stop()
  }
}
