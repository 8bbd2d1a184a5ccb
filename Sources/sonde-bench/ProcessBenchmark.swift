import Events
import LinuxIO

extension Section {
  /// Whole programs that play and have nothing to do.
  static let processes = Section(
    name: "processes",
    summary: "idle CPU, memory and start to first sound, beside the command csound"
  ) { extent, report in
    let folder = try TemporaryFolder("sonde-bench")
    let csd = try rampCSD(in: folder)
    let map = "\(folder.path)/idle.map"
    try writeFile(map, Array(idleMapping.utf8))
    let sonde = try siblingProgram("sonde")
    let period = 256
    // Without --sched, which locks all of its memory.
    let csoundJACK = [
      "csound", "-d", "-m0", "-odac", "-+rtaudio=jack", "-b32", "-B\(period + 32)", csd,
    ]

    report.setting("server", "\(JACKServer.settings), period \(period)")
    report.begin(
      "Whole programs",
      columns: ["One oscillator, nothing moves", "idle CPU", "memory", "first sound"],
      "CPU as a share of one processor; resident memory; from its start to its first frame at the JACK port."
    )
    let server = try JACKServer(period: period)
    let pairs: [(way: String, csound: [String], sonde: [String], isHeard: Bool)] = [
      (
        "JACK", csoundJACK, [sonde, "play", csd, "--map", map, "--audio", "jack"], true
      ),
      (
        "no sound card", ["csound", "-d", "-m0", "-odac", "-+rtaudio=null", csd],
        [sonde, "play", csd, "--map", map, "--audio", "none"], false
      ),
    ]
    for pair in pairs {
      var peer: IdleProgram?
      for (name, arguments) in [("the command csound", pair.csound), ("sonde play", pair.sonde)] {
        do {
          let program = try IdleProgram(arguments, pair.isHeard ? server : nil, extent, folder)
          program.add("\(name), \(pair.way)", to: report, beside: peer)
          peer = program
        } catch {
          report.remark("  \(name), \(pair.way): \(error).")
        }
      }
    }
  }
}

private let idleMapping = """
  device pad gamepad
  widget slider cutoff min=60 max=10000 default=3000 scale=log
  pad.left | deadzone 0.08 radial -> bend, shimmer
  pad.attitude.roll | from -70deg..70deg | smooth 40ms -> cutoff
  pad.right.trigger | to 0..1 pow 3 | smooth 30ms -> swell
  pad.south -> note Pluck key=C4

  """

/// Its output tells how long it has played: it rises from 0 to 1 in every second.
private func rampCSD(in folder: TemporaryFolder) throws -> String {
  let path = "\(folder.path)/ramp.csd"
  let text = """
    <CsoundSynthesizer>
    <CsInstruments>
    sr = \(JACKServer.rate)
    ksmps = 32
    nchnls = 1
    0dbfs = 1
    instr 1
     aRamp phasor 1
     out aRamp
    endin
    instr Pluck
    endin
    </CsInstruments>
    <CsScore>
    i 1 0 z
    </CsScore>
    </CsoundSynthesizer>

    """
  try writeFile(path, Array(text.utf8))
  return path
}

/// The path of a program that was built together with this one.
///
/// - Throws: `BenchmarkFailure` when it is not there.
private func siblingProgram(_ name: String) throws -> String {
  let own = try realPath("/proc/self/exe")
  let path = own.prefix(through: own.lastIndex(of: "/") ?? own.startIndex) + name
  guard fileExists(String(path)) else {
    throw BenchmarkFailure("\(path) is not built; run make build first.")
  }
  return String(path)
}

/// What a program costs that plays and is not played.
private struct IdleProgram {
  /// The share of one processor.
  var load: Double
  /// Bytes.
  var memory: Double
  /// Nanoseconds.
  var firstSound: Samples?

  /// - Parameter server: where it is heard, or nil when it plays nowhere.
  init(
    _ arguments: [String], _ server: JACKServer?, _ extent: Extent, _ folder: TemporaryFolder
  ) throws {
    if let server {
      let starts = extent.isQuick ? 2 : 7
      firstSound = Samples(
        try (0..<starts).map { _ in try IdleProgram.timeToSound(arguments, server, folder) })
    }
    let program = try IdleProgram.start(arguments, folder)
    defer { program.end() }
    // Starting is over by then.
    sleepUntil(monotonicNow() + 2 * .perSecond)
    let (start, spent) = (monotonicNow(), program.processorTime)
    sleepUntil(start + (extent.isQuick ? 3 : 15) * .perSecond)
    if program.hasEnded { throw BenchmarkFailure("\(arguments[0]) has ended by itself.") }
    load = Double(program.processorTime - spent) / Double(monotonicNow() - start)
    memory = Double(program.residentMemory)
  }

  private static func start(
    _ arguments: [String], _ folder: TemporaryFolder
  ) throws -> BackgroundProgram {
    do throws(SystemError) {
      return try BackgroundProgram(arguments, output: "\(folder.path)/program.log")
    } catch {
      if error.number == .notFound { throw PeerMissing(program: arguments[0], package: "csound") }
      throw error
    }
  }

  private static func timeToSound(
    _ arguments: [String], _ server: JACKServer, _ folder: TemporaryFolder
  ) throws -> Double {
    let listener = try JACKListener(server, capacity: 64)
    defer { listener.close() }
    let start = listener.now()
    let program = try IdleProgram.start(arguments, folder)
    defer { program.end() }
    try listener.listen(to: server.waitForPort(.audioOutput, while: { !program.hasEnded }))
    // So long that it is heard, and not so long that the ramp begins again: that is another jump.
    sleepUntil(monotonicNow() + 500_000_000)
    listener.close()
    guard let step = listener.steps.first else {
      throw BenchmarkFailure("\(arguments[0]) is not heard.")
    }
    // The ramp tells how long it had been playing.
    let first = Double(step.frame) - Double(step.level) * Double(JACKServer.rate)
    return (first - Double(start.frame)) / Double(JACKServer.rate) * 1e9
  }

  func add(_ name: String, to report: Report, beside peer: IdleProgram?) {
    var notes: [Figure] = []
    func compare(_ name: String, _ own: Double, _ other: Double?, _ label: String) {
      guard let other, other > 0 else { return }
      notes.append((name, own / other, "\(label) × \(Report.decimals(own / other, 2))"))
    }
    if let peer {
      compare("cpu_to_csound", load, peer.load, "CPU")
      compare("memory_to_csound", memory, peer.memory, "memory")
      if let firstSound {
        compare("start_to_csound", firstSound.median, peer.firstSound?.median, "start")
      }
    }
    let start = firstSound?.median ?? .nan
    report.row(
      name,
      [
        ("idle_cpu", load, "\(Report.decimals(load * 100, 1)) %"),
        ("resident_bytes", memory, "\(Report.decimals(memory / 1e6, 1)) MB"),
        ("first_sound_ns", start, start.isNaN ? "–" : Report.time(start)),
      ], notes)
  }
}
