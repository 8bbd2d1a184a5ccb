import Glibc
import LabSupport
import LinuxIO
import Testing

extension Lab {
  /// The main job on real parts: a pad that the kernel's driver presents, a mapping, Csound, a sound card.
  @Suite struct Playing {
    private static let map = """
      device pad gamepad model=dualsense
      pad.left.x -> left
      pad.south  -> note Held key=60

      """
    private static let csd = LabOrchestra.csd(
      LabOrchestra.shows("left", "accelerometerX", "accelerometerY", "accelerometerZ")
        + "\n" + LabOrchestra.toneAndNotes,
      // A long buffer: the machine is emulated, and a gap in the sound is not what is tested here.
      options: "-odac:hw:0 -b1024 -B8192 -d")

    /// One step of a stick's byte, and of the accelerometer's node.
    private static let stickStep = 1 / 127.5
    private static let gravityStep = 1.0 / 8192

    @Test func channelsAndPitchFollowThePad() throws {
      let capture = try #require(SoundCapture.ofThisMachine, "run with --audio")
      let sonde = try PlayingSonde(csd: Self.csd, map: Self.map, options: [])
      let pad = try VirtualDualSense()
      let arrival = try pad.waitForNodes()
      try #require(
        sonde.waitForSentence { $0.hasPrefix("+ ") } != nil, "\(sonde.process.errors.all)")

      var worst = 0.0
      for position in stride(from: UInt8(0), through: 255, by: 15) {
        try pad.send { $0.leftX = position }
        let wanted = Double(position) / 127.5 - 1
        let value = try #require(
          sonde.waitForValue("left", wanted, within: Self.stickStep),
          "position \(position): \(sonde.values("left"))")
        worst = max(worst, abs(value - wanted))
      }
      #expect(sonde.values("left").first == -1 && sonde.values("left").last == 1)
      #expect(sonde.values("left") == sonde.values("left").sorted())
      report("stick: at most \((worst / Self.stickStep).text(decimals: 3)) LSB off")

      worst = 0
      for degrees in stride(from: 15.0, through: 90, by: 15) {
        try pad.send { $0.tiltRight(degrees: degrees) }
        let angle = degrees * .pi / 180
        for (name, wanted) in [("accelerometerX", sin(angle)), ("accelerometerZ", -cos(angle))] {
          let isThere = wait(seconds: 60) {
            sonde.values(name).last.flatMap { abs($0 - wanted) <= Self.gravityStep ? $0 : nil }
          }
          let value = try #require(isThere, "\(name) at \(degrees)°: \(sonde.values(name))")
          worst = max(worst, abs(value - wanted))
        }
      }
      report("tilt: at most \((worst / Self.gravityStep).text(decimals: 3)) LSB off")

      for position: UInt8 in [0, 64, 191, 255] {
        try pad.send { $0.leftX = position }
        let value = try #require(
          sonde.waitForValue("left", Double(position) / 127.5 - 1, within: Self.stickStep))
        let wanted = 440 * exp2(value)
        let pitch = try #require(capture.pitch(), "no sound at position \(position)")
        report(
          "stick \(value.text(decimals: 3)): captured \(pitch.text(decimals: 1)) Hz, "
            + "wanted \(wanted.text(decimals: 1)) Hz")
        #expect(abs(pitch / wanted - 1) < 0.01)
      }
      pad.unplug()
      try Arrival.waitUntilGone(arrival.nodes)
      sonde.stop()
    }

    @Test func soundOutlivesThePadAndThePadComesBack() throws {
      let capture = try #require(SoundCapture.ofThisMachine, "run with --audio")
      let sonde = try PlayingSonde(csd: Self.csd, map: Self.map, options: [])
      let pad = try VirtualDualSense()
      let arrival = try pad.waitForNodes()
      try #require(
        sonde.waitForSentence { $0.hasPrefix("+ ") } != nil, "\(sonde.process.errors.all)")
      try pad.send {
        $0.leftX = 255
        $0.buttons = .cross
      }
      #expect(sonde.waitForValue("left", 1, within: 0) == 1)
      #expect(wait(seconds: 60) { sonde.values("notes").last == 1 ? () : nil } != nil)

      pad.unplug()
      let left = sonde.waitForSentence { $0.hasPrefix("- ") }
      #expect(left != nil)
      #expect(wait(seconds: 60) { sonde.values("notes").last == 0 ? () : nil } != nil)
      let pitch = try #require(capture.pitch(), "the sound ended with the pad")
      report("unplugged: the tone of 880 Hz is captured with \(pitch.text(decimals: 1)) Hz")
      #expect(abs(pitch / 880 - 1) < 0.01)
      #expect(sonde.process.poll() == nil)
      try Arrival.waitUntilGone(arrival.nodes)

      // Takes the number that has become free.
      let placeholder = try VirtualInputDevice(.keyboard())
      _ = try placeholder.waitForNode()
      var report = DualSenseReport()
      report.leftX = 51
      let again = try VirtualDualSense(report: report)
      let (time, secondArrival) = try Self.firstValue(-0.6, of: again, in: sonde)
      #expect(secondArrival.pad?.number != arrival.pad?.number)
      reportDelay(
        "replug, to the first value printed", from: secondArrival.kernelTime, to: time,
        udevDelay: secondArrival.udevDelay)
      try again.send { $0.buttons = .cross }
      #expect(wait(seconds: 60) { sonde.values("notes").last == 1 ? () : nil } != nil)
      try again.send { $0.buttons = [] }
      #expect(wait(seconds: 60) { sonde.values("notes").last == 0 ? () : nil } != nil)
      again.unplug()
      placeholder.unplug()
      try Arrival.waitUntilGone(secondArrival.nodes)
      sonde.stop()
    }

    @Test func replugsLeaveNothingOpen() throws {
      let sonde = try PlayingSonde(csd: Self.csd, map: Self.map)
      let cycles = Repetition.count(of: 50)
      var filesBefore = 0
      var threadsBefore = 0
      var multiples: [Double] = []
      // The first cycle loads what is loaded once.
      for cycle in 0...cycles {
        if cycle == 1 {
          filesBefore = sonde.process.openFileCount
          threadsBefore = sonde.process.threadCount
        }
        var report = DualSenseReport()
        report.leftX = cycle % 2 == 0 ? 204 : 51
        report.buttons = .cross
        let pad = try VirtualDualSense(report: report)
        let (time, arrival) = try Self.firstValue(cycle % 2 == 0 ? 0.6 : -0.6, of: pad, in: sonde)
        multiples.append(Double(time - arrival.kernelTime) / 1e9 / arrival.udevDelay)
        #expect(Double(time - arrival.udevTime) < 2e9, "cycle \(cycle)")
        #expect(wait(seconds: 60) { sonde.values("notes").last == 1 ? () : nil } != nil)
        pad.unplug()
        #expect(wait(seconds: 60) { sonde.values("notes").last == 0 ? () : nil } != nil)
        try Arrival.waitUntilGone(arrival.nodes)
      }
      #expect(
        wait(seconds: 20) { sonde.process.openFileCount == filesBefore ? () : nil } != nil,
        "\(filesBefore) open files before, \(sonde.process.openFileCount) after")
      #expect(sonde.process.threadCount == threadsBefore)
      let sorted = multiples.sorted()
      report(
        "\(cycles + 1) replugs: \(filesBefore) open files and \(threadsBefore) threads before and after; "
          + "first value after \(sorted[0].text(decimals: 2)) to \(sorted.last!.text(decimals: 2)) "
          + "times udev's delay")
      sonde.stop()
    }

    /// Lets the pad speak as soon as its nodes are there, and waits for its stick's value to be printed.
    private static func firstValue(
      _ value: Double, of pad: VirtualDualSense, in sonde: PlayingSonde
    ) throws -> (time: Int64, arrival: Arrival) {
      _ = wait(seconds: 20) {
        InputNode.ofHIDDevice(at: pad.device.identity.physicalPath).isEmpty ? nil : ()
      }
      try pad.send()
      let arrival = try pad.waitForNodes()
      let found = sonde.waitForValue("left", value, within: stickStep)
      let time = monotonicNow()
      try #require(found != nil, "\(value) was not printed: \(sonde.process.errors.all)")
      return (time, arrival)
    }
  }
}

extension SoundCapture {
  /// The pitch of what is played from now on, once what is on its way has passed; nil when it stays silent.
  ///
  /// The middle one of all periods counts, so that a gap in the sound does not.
  func pitch() -> Double? {
    let start = playedFrames + 36_000
    let frames = 9_600
    guard wait(seconds: 60, until: { playedFrames >= start + frames ? () : nil }) != nil,
      let sound = read(from: start)
    else { return nil }
    let wave = Array(sound.channel(0).prefix(frames))
    var crossings: [Double] = []
    for index in wave.indices.dropFirst() where wave[index - 1] < 0 && wave[index] >= 0 {
      crossings.append(Double(index - 1) + wave[index - 1] / (wave[index - 1] - wave[index]))
    }
    let periods = zip(crossings.dropFirst(), crossings).map { $0 - $1 }.sorted()
    guard periods.count > 10 else { return nil }
    return Double(sound.sampleRate) / periods[periods.count / 2]
  }
}
