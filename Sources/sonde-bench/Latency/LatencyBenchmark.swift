import Events
import LinuxIO

extension Section {
  /// From a gesture to its sound, beside the peers, at short and at long audio periods.
  static let latency = Section(
    name: "latency", summary: "from a gesture to its sound, beside Csound and Pure Data, on JACK"
  ) { extent, report in
    try measureLatency(
      [64, 256, 1024, 2048].map { Condition(name: "Period \($0)", period: $0) }, extent, report)
  }

  /// The same where the machine or the input is not at its best.
  static let disturbance = Section(
    name: "disturbance", summary: "the same with busy processors and with input that comes late"
  ) { extent, report in
    try measureLatency(
      [
        Condition(name: "Two busy processors", period: 256, hogs: 2),
        Condition(name: "Input 0 to 0.5 ms late", period: 256, delay: 500_000),
        Condition(name: "Both", period: 256, hogs: 2, delay: 500_000),
      ], extent, report)
  }
}

private let contenders: [Contender] = [
  .csoundMIDI, .csoundOSC, .pureData, .pureDataCallback, .sondeSteady, .sondeAsap,
]

private func measureLatency(
  _ conditions: [Condition], _ extent: Extent, _ report: Report
) throws {
  let notes = extent.notes
  report.setting("server", JACKServer.settings)
  report.setting(
    "gestures",
    "\(notes) at random phases, and before them 3 s that do not count; k-cycles of 32 frames")
  let folder = try TemporaryFolder("sonde-bench")
  for condition in conditions {
    report.begin(
      "\(condition.name): gesture to sound",
      columns: [
        "JACK period \(condition.period)", "max − min", "undisturbed", "0.5…99.5 %", "std", "mean",
      ],
      "At the instrument's port, without the driver's buffer. One k-cycle is 32 frames, 0.67 ms. Undisturbed: max − min of the gestures that have no xrun within a quarter of a second, and no cycle in which the server, woken late, corrected its line of time by more than two frames. Beside Sonde: the ratio of its jitter to the steadiest peer's, its mean less the fastest's."
    )
    let server = try JACKServer(period: condition.period)
    var peers: [(name: String, spread: Spread)] = []
    for contender in contenders {
      do {
        let result = try contender.measure(condition, server, folder, notes: notes)
        report.row(contender.name, cells(result), remarks(contender, result, peers))
        if !contender.isSonde { peers.append((contender.name, result.spread)) }
      } catch {
        // The others are worth measuring all the same.
        report.remark("  \(contender.name): \(error).")
      }
    }
  }
}

private func cells(_ result: GestureResult) -> [Figure] {
  let spread = result.spread
  let undisturbed = result.undisturbed.range
  let inner = spread.range(withoutOutermost: 5)
  let milliseconds = 1000 / Double(JACKServer.rate)
  return [
    ("range_frames", spread.range, "\(Report.decimals(spread.range, 0)) frames"),
    (
      "undisturbed_range_frames", undisturbed, "\(Report.decimals(undisturbed, 0)) frames"
    ),
    ("inner_range_frames", inner, "\(Report.decimals(inner, 0)) frames"),
    (
      "deviation_ms", spread.deviation * milliseconds,
      "\(Report.decimals(spread.deviation * milliseconds, 2)) ms"
    ),
    (
      "mean_ms", spread.mean * milliseconds, "\(Report.decimals(spread.mean * milliseconds, 2)) ms"
    ),
  ]
}

private func remarks(
  _ contender: Contender, _ result: GestureResult, _ peers: [(name: String, spread: Spread)]
) -> [Figure] {
  let spread = result.spread
  let near = spread.count - result.undisturbed.count
  var notes: [Figure] = [
    ("notes", Double(spread.count), ""),
    ("disturbed", Double(near), near == 0 ? "" : "\(near) disturbed"),
  ]
  if contender.isSonde,
    let steadiest = peers.min(by: { $0.spread.range < $1.spread.range }),
    let fastest = peers.min(by: { $0.spread.mean < $1.spread.mean })
  {
    let jitter = spread.range / steadiest.spread.range
    let more = (spread.mean - fastest.spread.mean) * 1000 / Double(JACKServer.rate)
    let text = "\(more < 0 ? "" : "+")\(Report.decimals(more, 2)) ms"
    notes += [
      (
        "range_to_best_peer", jitter,
        "jitter × \(Report.decimals(jitter, 2)) (\(steadiest.name))"
      ),
      ("mean_to_best_peer", spread.mean / fastest.spread.mean, ""),
      ("mean_more_than_best_peer_ms", more, "mean \(text) (\(fastest.name))"),
    ]
  }
  func count(_ name: String, _ number: Int, _ text: String) {
    notes.append((name, Double(number), number == 0 ? "" : "\(number) \(text)"))
  }
  count("unheard", result.analysis.unheard, "not heard")
  count("gaps", result.analysis.strange, "jumps by gaps")
  count("xruns", result.xruns, "xruns")
  return notes + result.figures
}
