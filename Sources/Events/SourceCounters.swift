internal import Synchronization

/// What one source counts while it is read: one thread writes, any thread reads.
///
/// Flat memory behind a pointer, because realtime code may not count references; its owner frees it.
public struct SourceCounters: BitwiseCopyable, @unchecked Sendable {
  private struct Storage: ~Copyable {
    let reports = Atomic<Int>(0)
    let intervals = Atomic<Int>(0)
    let intervalSum = Atomic<Int64>(0)
    let intervalSquares = Atomic<Double>(0)
    let steadySum = Atomic<Int64>(0)
    let steadySquares = Atomic<Double>(0)
    let latenessSum = Atomic<Int64>(0)
    let worstLateness = Atomic<Int64>(0)
    let overruns = Atomic<Int>(0)
    let lostSamples = Atomic<Int>(0)
    let hasClock = Atomic<Bool>(false)
    let clockDelay = Atomic<Int64>(0)
    let clockDrift = Atomic<Double>(0)
    let clockRestarts = Atomic<Int>(0)
    // The writer's own.
    var lastArrival = Nanoseconds.none
    var lastTime: Nanoseconds = 0
    var gaps = SampleGaps()
  }

  private let storage: UnsafeMutablePointer<Storage>

  public init() {
    storage = .allocate(capacity: 1)
    storage.initialize(to: Storage())
  }

  /// Frees its memory; the last call.
  public func deallocate() {
    storage.deinitialize(count: 1)
    storage.deallocate()
  }

  /// Counts a report.
  ///
  /// - Parameters:
  ///   - arrival: when the kernel saw it.
  ///   - time: the time that its events carry.
  ///   - read: when it was read, or `.none` where nobody looked.
  @_noLocks
  public func note(arrival: Nanoseconds, time: Nanoseconds, read: Nanoseconds) {
    let last = storage.pointee.lastArrival
    let interval = arrival &- last
    if last != .none && interval >= 0 && interval < 250_000_000 {
      storage.pointee.intervals.add(1)
      storage.pointee.intervalSum.add(interval)
      let microseconds = Double(interval) * 1e-3
      storage.pointee.intervalSquares.add(microseconds * microseconds)
      let steady = time &- storage.pointee.lastTime
      storage.pointee.steadySum.add(steady)
      let steadyMicroseconds = Double(steady) * 1e-3
      storage.pointee.steadySquares.add(steadyMicroseconds * steadyMicroseconds)
    }
    storage.pointee.lastArrival = arrival
    storage.pointee.lastTime = time
    storage.pointee.reports.add(1)
    let lateness = read &- time
    if read == .none || lateness <= 0 { return }
    storage.pointee.latenessSum.add(lateness)
    if lateness > storage.pointee.worstLateness.load(ordering: .relaxed) {
      storage.pointee.worstLateness.store(lateness, ordering: .relaxed)
    }
  }

  /// Counts an overrun of the kernel's buffer.
  @_noLocks
  public func noteOverrun() { storage.pointee.overruns.add(1) }

  /// Takes how far a sensor's own clock went from one sample to the next.
  @_noLocks
  public func noteAdvance(_ advance: Nanoseconds) {
    let missing = storage.pointee.gaps.missing(after: advance)
    if missing > 0 { storage.pointee.lostSamples.add(missing) }
  }

  /// Takes how a sensor's clock is followed.
  @_noLocks
  public func noteClock(_ filter: borrowing ClockFilter) {
    storage.pointee.clockDelay.store(filter.delay, ordering: .relaxed)
    storage.pointee.clockDrift.store(filter.drift, ordering: .relaxed)
    storage.pointee.clockRestarts.store(filter.restarts, ordering: .relaxed)
    storage.pointee.hasClock.store(true, ordering: .relaxed)
  }

  /// The counts as they are now. Any thread.
  public var statistics: SourceStatistics {
    var result = SourceStatistics()
    result.reports = storage.pointee.reports.load(ordering: .relaxed)
    result.intervals = storage.pointee.intervals.load(ordering: .relaxed)
    result.intervalSum = storage.pointee.intervalSum.load(ordering: .relaxed)
    result.intervalSquares = storage.pointee.intervalSquares.load(ordering: .relaxed)
    result.steadySum = storage.pointee.steadySum.load(ordering: .relaxed)
    result.steadySquares = storage.pointee.steadySquares.load(ordering: .relaxed)
    result.latenessSum = storage.pointee.latenessSum.load(ordering: .relaxed)
    result.worstLateness = storage.pointee.worstLateness.load(ordering: .relaxed)
    result.overruns = storage.pointee.overruns.load(ordering: .relaxed)
    result.lostSamples = storage.pointee.lostSamples.load(ordering: .relaxed)
    if storage.pointee.hasClock.load(ordering: .relaxed) {
      var clock = SourceStatistics.Clock()
      clock.delay = storage.pointee.clockDelay.load(ordering: .relaxed)
      clock.drift = storage.pointee.clockDrift.load(ordering: .relaxed)
      clock.restarts = storage.pointee.clockRestarts.load(ordering: .relaxed)
      result.clock = clock
    }
    return result
  }
}

// With one writer a load and a store do; an atomic addition would cost a locked bus cycle.
extension Atomic where Value == Int {
  @_noLocks
  fileprivate func add(_ value: Int) {
    store(load(ordering: .relaxed) &+ value, ordering: .relaxed)
  }
}

extension Atomic where Value == Int64 {
  @_noLocks
  fileprivate func add(_ value: Int64) {
    store(load(ordering: .relaxed) &+ value, ordering: .relaxed)
  }
}

extension Atomic where Value == Double {
  @_noLocks
  fileprivate func add(_ value: Double) {
    store(load(ordering: .relaxed) + value, ordering: .relaxed)
  }
}
