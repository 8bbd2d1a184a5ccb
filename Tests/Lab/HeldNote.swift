import LabSupport
import LinuxIO
import Testing

/// A note that a pad holds while its sound card is lost and found, and what that costs.
final class HeldNote {
  let sonde: PlayingSonde
  private let pad: VirtualInputDevice
  private let node: InputNode
  private let subject: String
  private var holdings: [ChildProcess.Holdings] = []
  private let pressed: Int64
  private var loads: (away: [Double], playing: [Double]) = ([], [])

  private static let orchestra = """
    alwayson "Notes"
    instr Held
      iKey = p4
      iVelocity = p5
      aTone poscil 0.4, 440
      outs aTone, aTone
      kAge timeinsts
      kTick metro 2
      printf "age %.3f\\n", kTick, kAge
    endin
    instr Notes
      iNumber nstrnum "Held"
      kNotes active iNumber
      kCount init 0
      if changed2(kNotes) == 1 then
        kCount += 1
      endif
      printf "notes %d\\n", kCount, kNotes
    endin
    """

  /// Plays into an ALSA device, and presses the button.
  init(device: String) throws {
    subject = "The audio device \(device)"
    sonde = try PlayingSonde(
      csd: LabOrchestra.csd(
        Self.orchestra, options: "-odac:\(device) -b1024 -B4096 -d", ksmps: 256),
      map: """
        device pad gamepad
        pad.south -> note Held

        """, options: [])
    pad = try VirtualInputDevice(.gamepad())
    node = try #require(pad.waitForNode().nodes.first)
    try #require(sonde.waitForSentence { $0.hasPrefix("+ ") } != nil)
    pressed = monotonicNow()
    try pad.send(.key(0x130, true))
    try #require(wait(seconds: 60) { sonde.values("notes").last == 1 ? () : nil } != nil)
  }

  /// How old the note was when it said so last, in seconds of music.
  var age: Double { sonde.values("age").last ?? 0 }

  var losses: Int { count("is gone; the music goes on without sound") }
  var returns: Int { count("is back.") }

  private func count(_ words: String) -> Int {
    sonde.process.errors.lines.count { $0.contains(subject) && $0.contains(words) }
  }

  /// Waits until as many losses and returns were said, and not more of either.
  func waitFor(losses: Int, returns: Int) throws {
    let isSaid: Void? = wait(seconds: 60) {
      self.losses >= losses && self.returns >= returns ? () : nil
    }
    try #require(
      isSaid != nil && self.losses == losses && self.returns == returns,
      "wanted \(losses) losses and \(returns) returns: \(sonde.process.errors.all)")
  }

  enum Place { case away, playing }

  /// Lets the note play on for seconds of music, and keeps what share of a processor that took.
  func play(_ seconds: Double, _ place: Place) throws {
    let (time, work, start) = (monotonicNow(), sonde.process.processorTime, age)
    try #require(
      wait(seconds: 60) { age >= start + seconds ? () : nil } != nil, "the note does not go on")
    let load = (sonde.process.processorTime - work) * 1e9 / Double(monotonicNow() - time)
    switch place {
    case .away: loads.away.append(load)
    case .playing: loads.playing.append(load)
    }
  }

  /// Keeps what is held at the end of a round.
  func endRound() {
    holdings.append(sonde.process.holdings)
    if holdings.count % 10 == 0 { report("round \(holdings.count): \(sonde.process.holdings)") }
  }

  /// Says what the rounds cost, and ends the note and the program.
  func finish(_ what: String) throws {
    let rounds = holdings.count
    let (first, last) = (holdings[0], holdings[rounds - 1])
    let ages = sonde.values("age")
    let (away, playing) = (loads.away.sorted(), loads.playing.sorted())
    report(
      "\(rounds) rounds of \(what): \(losses) losses and \(returns) returns said; "
        + "processor while away \(away[rounds / 2].text(decimals: 2)), at most "
        + "\(away[rounds - 1].text(decimals: 2)), while playing "
        + "\(playing[playing.count / 2].text(decimals: 2)); \(first) → \(last); "
        + "the note was held for \((ages.last ?? 0).text(decimals: 1)) s")
    // A spinning thread takes a whole processor, and a wait takes less than the device's own work.
    #expect(away[rounds / 2] < 0.25 + playing[playing.count / 2], "it spins while away")
    #expect(last.threads <= first.threads && last.files <= first.files)
    #expect(last.memory < first.memory + 4096)
    // Time that runs away from the clock is a device that takes whatever it is given.
    let passed = Double(monotonicNow() - pressed) / 1e9
    #expect(age <= passed + 1, "\(age) s of music in \(passed) s")
    // One note, that neither began again nor left out a moment: it speaks twice a second.
    #expect(sonde.values("notes") == [1])
    #expect(zip(ages.dropFirst(), ages).allSatisfy { abs($0 - $1 - 0.5) < 0.01 }, "\(ages)")
    try pad.send(.key(0x130, false))
    #expect(wait(seconds: 60) { sonde.values("notes").last == 0 ? () : nil } != nil)
    pad.unplug()
    try Arrival.waitUntilGone([node])
    sonde.stop()
    #expect(try sonde.statistic("deviceLosses") == rounds)
  }
}
