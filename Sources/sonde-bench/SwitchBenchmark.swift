import CsoundEngine
import Events
import LinuxIO
import Mapping

extension Section {
  static let switching = Section(
    name: "switch", summary: "from one mapping to the next, on INPUT and on PERFORM",
    measure: measureSwitches)
}

/// What a reload costs the threads that must not wait.
private func measureSwitches(_ extent: Extent, _ report: Report) throws {
  let counts = extent.isQuick ? [10, 1000, 10_000] : [10, 1000, 10_000, 100_000]
  report.begin(
    "Switching mappings, INPUT", per: "per switch",
    "Installing a program between two events; half of the pad's lines have a value. CPU time of the thread."
  )
  for count in counts {
    for change in Change.allCases {
      let switching = try InputSwitch(lines: count, change)
      let measurement = Measurement(runs: extent.runs) { switching.run() }
      let each = measurement.processor.median / Double(count)
      report.add(
        "\(Report.whole(count)) lines, \(change.rawValue)", measurement,
        [("ns_per_line", each, "\(Report.time(each)) a line")])
    }
  }
  report.begin(
    "Switching mappings, PERFORM", columns: ["Per k-cycle", "median", "longest", "of the switch"],
    "k-cycles of 32 frames (667 µs at 48 kHz), one oscillator: while names are looked up, and the switch's own, with up to 10 000 first values."
  )
  for count in counts {
    for change in Change.allCases { try measurePerform(count, change, extent, report) }
  }
}

/// How much of a mapping is new.
private enum Change: String, CaseIterable {
  case nothing = "all the same"
  case everything = "all new"
}

/// A program that is replaced by another over and over.
private final class InputSwitch {
  private let runtime: Runtime
  private let ring: SPSCRing<EngineCommand>
  private var programs: [Program]

  init(lines: Int, _ change: Change) throws {
    ring = SPSCRing(capacity: lines + 64)
    let first = Program(InputSwitch.mapping(lines, prefix: "a"))
    let second = Program(
      InputSwitch.mapping(lines, prefix: change == .nothing ? "a" : "b"), after: first)
    programs = [second]
    runtime = Runtime(first, output: ring)
    runtime.process(ControlEvent(.plugged, time: 0, device: 0))
    runtime.bind(0, to: 0, time: 0)
    runtime.process(ControlEvent(.value, time: 0, device: 0, control: .leftX, value: 0.5))
    runtime.process(ControlEvent(.frameEnd, time: 0, device: 0))
    while ring.pop() != nil {}
  }

  private static func mapping(_ lines: Int, prefix: String) -> MappingDescription {
    MappingDescription(
      devices: [DeviceDeclaration(name: "pad", role: .declared(.gamepad))],
      routes: (0..<lines).map {
        RouteDescription(
          identity: "\(prefix) \($0)", device: 0, control: $0 % 2 == 0 ? .leftX : .rightX,
          range: .bipolar, targets: [.channel("\(prefix)\($0)")])
      })
  }

  /// Installs the other program; what comes back is the next to be installed.
  func run() -> Int {
    let next = programs.removeLast()
    let old = runtime.install(.passRetained(next), time: 0)
    programs.append(old.takeRetainedValue())
    return 1
  }
}

/// Commands that hand a patch over, and switch to it when its names are looked up.
private struct PatchSwitch: CommandSource {
  let patch: EnginePatch
  /// CPU time of the k-cycles from the hand-over to the switch, and of the one with the switch.
  var before: [Double] = []
  var during = 0.0
  private var cycle = 0
  private var isInstalled = false
  private var isSwitched = false
  private var start: Int64 = 0

  init(_ patch: EnginePatch) { self.patch = patch }

  mutating func commands(before limit: Nanoseconds, into queue: CommandQueue) -> Bool {
    let spent = Double(threadProcessorTime() - start)
    if isSwitched { during = spent } else if isInstalled { before.append(spent) }
    if isSwitched { return false }
    cycle += 1
    if cycle == 1000 {
      queue.install(patch)
      isInstalled = true
    } else if isInstalled && queue.preparedGeneration == patch.generation {
      queue.append(EngineCommand(.switch, time: limit - 1, slot: patch.generation))
      for slot in 0..<min(patch.slots.count, 10_000) {
        queue.append(EngineCommand(.value, time: limit - 1, slot: slot, value: 1))
      }
      isSwitched = true
    }
    start = threadProcessorTime()
    return true
  }
}

private final class SwitchRun: ThreadBody, @unchecked Sendable {
  private let engine: OfflineRender
  private let end: Nanoseconds
  var source: PatchSwitch

  init(_ engine: OfflineRender, _ source: PatchSwitch, until end: Nanoseconds) {
    self.engine = engine
    self.source = source
    self.end = end
  }

  func run() { _ = try? engine.run(&source, until: end) }
}

private func measurePerform(
  _ count: Int, _ change: Change, _ extent: Extent, _ report: Report
) throws {
  func patch(_ generation: Int, _ prefix: String) -> EnginePatch {
    EnginePatch(
      generation: generation,
      slots: (0..<count).map { .channel(name: "\(prefix)\($0)", smoothing: 0) })
  }
  let folder = try TemporaryFolder("sonde-bench")
  let csd = try LightCSD(seconds: 3600, in: folder)
  var medians: [Double] = []
  var longest: [Double] = []
  var switches: [Double] = []
  for _ in 0..<extent.runs {
    // On a thread of its own, as PERFORM is: its memory is not what compiling a mapping left behind.
    var configuration = EngineConfiguration(.file(csd.path), patch: patch(1, "a"))
    // As a live engine does by itself.
    configuration.spareChannels = count
    let engine = OfflineRender(configuration, output: nil)
    let run = SwitchRun(
      engine, PatchSwitch(patch(2, change == .nothing ? "a" : "b")),
      until: 2 * .perSecond + Nanoseconds(count) * 20_000)
    try RealtimeThread(name: "perform", priority: nil, stackSize: 8 << 20, body: run).join()
    let source = run.source
    guard source.during > 0 else { throw BenchmarkFailure("The patch was never switched to.") }
    let cycles = Samples(source.before)
    medians.append(cycles.median)
    longest.append(cycles.largest)
    switches.append(source.during)
  }
  let figures = [
    ("cycle_ns", Samples(medians).median), ("longest_cycle_ns", Samples(longest).median),
    ("switch_cycle_ns", Samples(switches).median),
  ].map { (name: $0.0, value: $0.1, text: Report.time($0.1)) }
  report.row("\(Report.whole(count)) channels, \(change.rawValue)", figures)
}
