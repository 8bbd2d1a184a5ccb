import Audio
import Events
import Synchronization

extension EngineReport {
  /// What the user reads, or nil where there is nothing to say.
  ///
  /// - Parameter patch: that of `generation`, if it is still there.
  func sentence(patch: EnginePatch?, device: AudioAddress?) -> String? {
    switch kind {
    // Those who collect them say so.
    case .xrun, .captureLost, .captureReturned: return nil
    case .deviceLost:
      return
        "\(device?.subject ?? "The audio device") is gone; the music goes on without sound until it returns."
    case .deviceReturned: return "\(device?.subject ?? "The audio device") is back."
    case .periodChanged:
      return "\(device?.subject ?? "The audio device") has a period of \(slot) frames now."
    case .unknownInstrument:
      return
        "The orchestra has no instrument \(slotName(patch)): its notes are dropped; correct the mapping or the CSD."
    case .wrongChannel:
      return
        "The channel \(slotName(patch)) is not a control channel in the CSD: its values are dropped; choose another name."
    case .notFinite:
      return "A value for \(slotName(patch)) was not a number and was dropped (reported once)."
    case .missingPatch:
      return "Sonde's own fault: the engine was told of mapping \(generation) and never got it."
    }
  }

  private func slotName(_ patch: EnginePatch?) -> String {
    guard let patch, patch.slots.indices.contains(slot) else { return "number \(slot)" }
    switch patch.slots[slot] {
    case .channel(let name, _): return name
    case .note(let instrument): return instrument
    case .unused: return "number \(slot)"
    }
  }
}

extension CsoundFailure {
  /// Why a run ended by itself: `exitnow` with a number, or an error that Csound could not go on from.
  static func performance(_ result: Int32, name: String, lines: [EngineMessage]) -> EngineError {
    let failure = CsoundFailure(lines.filter { $0.kind != .orchestra }, name: name)
    let place = failure.line.map { "\(name):\($0)" } ?? name
    return EngineError(
      .performance,
      "\(place): Csound ended the run with code \(-result) (exitnow, or an error that it cannot go on from).",
      details: failure.details)
  }
}

extension EngineStatistics {
  /// Keeps an xrun among the last ones.
  mutating func note(_ xrun: Xrun) {
    if recentXruns.count == EngineStatistics.xrunCapacity { recentXruns.removeFirst() }
    recentXruns.append(xrun)
  }

  mutating func takeCounts(from counters: UnsafeMutablePointer<EngineCounters>) {
    let period = counters.pointee.period.load(ordering: .relaxed)
    if period > 0 { self.period = period }
    cycles = counters.pointee.cycles.load(ordering: .relaxed)
    xruns = counters.pointee.xruns.load(ordering: .relaxed)
    lastXrunTime = counters.pointee.lastXrunTime.load(ordering: .relaxed)
    lastXrunLength = counters.pointee.lastXrunLength.load(ordering: .relaxed)
    deviceOrigin = counters.pointee.deviceOrigin.load(ordering: .relaxed)
    captureGaps = counters.pointee.captureGaps.load(ordering: .relaxed)
    deviceLosses = counters.pointee.deviceLosses.load(ordering: .relaxed)
    lateCommands = counters.pointee.late.load(ordering: .relaxed)
    droppedCommands = counters.pointee.dropped.load(ordering: .relaxed)
    refusedCommands = counters.pointee.refused.load(ordering: .relaxed)
    heldNotes = counters.pointee.heldNotes.load(ordering: .relaxed)
    worstCycle = counters.pointee.worstCycle.load(ordering: .relaxed)
    worstCycleTime = counters.pointee.worstCycleTime.load(ordering: .relaxed)
    load = Double(counters.pointee.load.load(ordering: .relaxed)) / 1e6
    latency = counters.pointee.latency.load(ordering: .relaxed)
    latencyFrames = counters.pointee.latencyFrames.load(ordering: .relaxed)
    latencyParts.buffer = counters.pointee.bufferLatency.load(ordering: .relaxed)
    latencyParts.cycle = counters.pointee.cycleLatency.load(ordering: .relaxed)
    latencyParts.device = counters.pointee.deviceLatency.load(ordering: .relaxed)
    let capture = counters.pointee.captureLatency.load(ordering: .relaxed)
    latencyParts.capture = capture < 0 ? nil : capture
    latencyParts.margin = counters.pointee.margin.load(ordering: .relaxed)
  }
}
