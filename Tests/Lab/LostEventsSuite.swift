import EvdevInput
import Events
import LabSupport
import LinuxIO
import Synchronization
import Testing

extension Lab {
  /// A reader that falls behind must say so and know the truth again, or a note sounds for ever.
  @Suite struct LostEvents {
    /// The kernel keeps 128 events for a node of six axes: 15 whole frames of eight, and not the 16th.
    /// (drivers/input/evdev.c: the buffer is a power of two, and overflows when it is full.)
    @Test(arguments: [(15, 0), (16, 1), (40, 1)])
    func aStalledReaderLosesWhatTheKernelCannotKeep(frames: Int, losses: Int) throws {
      let pad = try VirtualDualSense()
      let arrival = try pad.waitForNodes()
      let node = try #require(arrival.motion)
      let recording = try NodeRecording(node)
      try pad.send()
      #expect(recording.read { $0.count(.frameEnd) > 0 })
      recording.forget()
      for frame in 1...frames {
        // Every axis changes in every frame, by more than the kernel's filter hides.
        try pad.send { report in
          let size = Int16(100 * frame)
          report.gyro = [size, -size, size / 2]
          report.acceleration = [size, 8192 - size, -size]
        }
      }
      #expect(recording.read { $0.values(.gyroX).last == rate(Int32(6400 * frames)) })
      #expect(recording.count(.lost) == losses)
      if losses == 0 { #expect(recording.values(.gyroX).count == frames) }
      let truth = try EventNodeReader(node)
      #expect(recording.values(.gyroX).last == rate(try #require(truth.axis(3)).value))
      #expect(
        recording.values(.accelerometerX).last == -Double(try #require(truth.axis(0)).value) / 8192)
      pad.unplug()
      try Arrival.waitUntilGone(arrival.nodes)
    }

    @Test(arguments: [true, false])
    func aStalledReaderEndsWithTheTrueButton(isPressed: Bool) throws {
      let pad = try VirtualDualSense()
      let arrival = try pad.waitForNodes()
      let recording = try NodeRecording(#require(arrival.pad))
      for _ in 0..<200 {
        try pad.send { $0.buttons = .cross }
        try pad.send { $0.buttons = [] }
      }
      if isPressed { try pad.send { $0.buttons = .cross } }
      #expect(recording.read { $0.count(.lost) == 1 })
      recording.read()
      #expect((recording.values(.south).last ?? 0) == (isPressed ? 1 : 0))
      // Never two presses in a row: a press that was lost is not made up.
      for (value, next) in zip(recording.values(.south), recording.values(.south).dropFirst()) {
        #expect(value != next)
      }
      pad.unplug()
      try Arrival.waitUntilGone(arrival.nodes)
    }

    @Test func aFloodIsReadWholeUnlessTheKernelSaysOtherwise() throws {
      let pad = try VirtualDualSense()
      let arrival = try pad.waitForNodes()
      let motion = try NodeRecording(#require(arrival.motion))
      let sticks = try NodeRecording(#require(arrival.pad))
      let reports = Repetition.count(of: 10_000)
      let began = monotonicNow()
      let sender = try FloodSender(pad: pad, reports: reports)
      while !sender.isDone {
        motion.read()
        sticks.read()
        pause(seconds: 0.0005)
      }
      sender.finish()
      let seconds = Double(monotonicNow() - began) / 1e9
      #expect(motion.read { $0.values(.gyroX).last == rate(Int32(64 * sender.lastGyro)) })
      sticks.read()

      let lost = motion.count(.lost) + sticks.count(.lost)
      report(
        "flood: \(reports) reports in \(seconds.text(decimals: 2)) s "
          + "(\((Double(reports) / seconds).text(decimals: 0)) a second), \(lost) losses reported")
      if motion.count(.lost) == 0 { #expect(motion.values(.gyroX).count == reports) }
      if sticks.count(.lost) == 0 {
        // A toggle every fourth report.
        #expect(sticks.values(.south) == (0..<reports / 4).map { $0 % 2 == 0 ? 1.0 : 0.0 })
      }
      let times = motion.events.filter { $0.control == .gyroX }.map(\.time)
      #expect(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 })
      pad.unplug()
      try Arrival.waitUntilGone(arrival.nodes)
    }

    private func rate(_ units: Int32) -> Double { Double(units) * (Double.pi / 180 / 1024) }
  }
}

/// Sends reports at 1 kHz from a thread of its own, a button toggling with every fourth.
private final class FloodSender: Sendable {
  let lastGyro: Int
  private let done = Atomic<Bool>(false)
  private let thread = Mutex<BackgroundThread?>(nil)

  var isDone: Bool { done.load(ordering: .acquiring) }

  init(pad: VirtualDualSense, reports: Int) throws {
    lastGyro = Self.gyro(reports - 1)
    let started = try BackgroundThread { [self] in
      var next = monotonicNow()
      for number in 0..<reports {
        try? pad.send(afterMicroseconds: 1000) { report in
          report.gyro = [Int16(Self.gyro(number)), 0, 0]
          if number % 4 == 3 { report.buttons.formSymmetricDifference(.cross) }
        }
        next += 1_000_000
        sleepUntil(next)
      }
      done.store(true, ordering: .releasing)
    }
    thread.withLock { $0 = started }
  }

  func finish() { thread.withLock { $0.take() }?.join() }

  // Different from report to report, and never 0.
  private static func gyro(_ number: Int) -> Int { 100 + number % 300 }
}
