// Where PERFORM leaves the checked code for a host program's own part: tasks, bindings and processors are the
// host's, and what they do there is theirs. A run without a host has none of it, and `sonde` is such a run.

/// What PERFORM calls of a `HostWork`, where there is one.
struct HostHooks: BitwiseCopyable {
  private let work: Unmanaged<HostWork>?

  /// - Parameter work: kept alive by whoever runs the performance.
  init(_ work: HostWork?) { self.work = work.map { .passUnretained($0) } }

  /// Before a k-cycle that hears `input`; what it hears instead.
  @_noLocks
  func before(_ calls: CsoundCalls, hearing input: UnsafePointer<Double>?) -> UnsafePointer<Double>?
  {
    guard let work else { return input }
    return _unsafePerformance {
      work._withUnsafeGuaranteedRef { $0.before(calls, hearing: input) }
    }
  }

  /// After a k-cycle, which left `block`.
  @_noLocks
  func after(_ block: UnsafeMutablePointer<Double>) {
    guard let work else { return }
    _unsafePerformance { work._withUnsafeGuaranteedRef { $0.after(block) } }
  }

  /// In a pause, in place of a k-cycle.
  @_noLocks
  func rest() {
    guard let work else { return }
    _unsafePerformance { work._withUnsafeGuaranteedRef { $0.runTasks() } }
  }
}
