import Events
import Synchronization

/// The patches of one offline run, on the thread that renders.
final class OfflinePatches {
  let incoming = SPSCRing<UnsafeRawPointer>(capacity: 64)
  let retired = SPSCRing<UnsafeRawPointer>(capacity: 256)
  /// The patch that plays first.
  let first: PatchRecord
  // All that came and were not given back.
  private var records: [UnsafeRawPointer: PatchRecord] = [:]
  private let cycleRate: Double
  private let counters: UnsafeMutablePointer<EngineCounters>

  init(_ patch: EnginePatch, cycleRate: Double, _ counters: UnsafeMutablePointer<EngineCounters>) {
    self.cycleRate = cycleRate
    self.counters = counters
    first = PatchRecord(patch, cycleRate: cycleRate, instruments: [:])
  }

  func install(_ patch: EnginePatch) {
    while let pointer = retired.pop() { records[pointer] = nil }
    let record = PatchRecord(patch, cycleRate: cycleRate, instruments: [:])
    let pointer = UnsafeRawPointer(Unmanaged.passUnretained(record).toOpaque())
    if incoming.push(pointer) { records[pointer] = record }
  }

  var preparedGeneration: Int { counters.pointee.prepared.load(ordering: .relaxed) }

  /// The patch of a generation that plays or will; nil if it is gone.
  func patch(of generation: Int) -> EnginePatch? {
    if first.generation == generation { return first.patch }
    return records.values.first { $0.generation == generation }?.patch
  }
}
