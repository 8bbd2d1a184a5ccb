package import Events
package import LinuxIO
import Synchronization

/// Opens something on a thread of its own, because a sound server that has stopped may keep that waiting for as long
/// as it likes.
package final class BackgroundOpening<Product: Sendable>: ThreadBody {
  package enum State: Sendable {
    case running, abandoned
    case opened(Product)
    case failed(AudioError)
  }

  private let opening: @Sendable () throws(AudioError) -> Product
  private let closing: @Sendable (Product) -> Void
  private let state = Mutex(State.running)

  private init(
    _ opening: @escaping @Sendable () throws(AudioError) -> Product,
    _ closing: @escaping @Sendable (Product) -> Void
  ) {
    self.opening = opening
    self.closing = closing
  }

  /// - Parameters:
  ///   - opening: what may wait for ever.
  ///   - closing: ends a product that came when nobody wanted it any more.
  /// - Throws: `SystemError` where there is no thread.
  package static func start(
    _ opening: @escaping @Sendable () throws(AudioError) -> Product,
    closing: @escaping @Sendable (Product) -> Void
  ) throws(SystemError) -> BackgroundOpening {
    let task = BackgroundOpening(opening, closing)
    _ = try BackgroundTask.start(task)
    return task
  }

  package func run() {
    let next: State
    do throws(AudioError) { next = .opened(try opening()) } catch { next = .failed(error) }
    let isAbandoned = state.withLock { state in
      if case .abandoned = state { return true }
      state = next
      return false
    }
    if isAbandoned, case .opened(let product) = next { closing(product) }
  }

  /// What has become of it; a product that was opened is the caller's.
  package func result() -> State { state.withLock { $0 } }

  /// Waits for the result, and gives up when `patience` is over or `isCancelled` says so.
  package func wait(atMost patience: Nanoseconds, isCancelled: () -> Bool) -> State {
    let deadline = monotonicNow() + patience
    while case .running = result() {
      if monotonicNow() >= deadline || isCancelled() { break }
      sleepUntil(monotonicNow() + 1_000_000)
    }
    return state.withLock { state in
      defer { if case .running = state { state = .abandoned } }
      return state
    }
  }

  /// Nobody wants the product any more.
  package func abandon() {
    let before = state.withLock { state in
      defer { state = .abandoned }
      return state
    }
    if case .opened(let product) = before { closing(product) }
  }
}

extension BackgroundOpening {
  /// Opens and waits for it, for `patience` at most, unless `isCancelled`.
  ///
  /// - Parameters:
  ///   - subject: the beginning of a sentence about what is opened.
  ///   - remedy: what to do where it does not answer.
  /// - Throws: `AudioError` of `opening`, or that says that there is no answer.
  static func open(
    subject: String, remedy: String, patience: Nanoseconds, isCancelled: () -> Bool,
    _ opening: @escaping @Sendable () throws(AudioError) -> Product,
    closing: @escaping @Sendable (Product) -> Void
  ) throws(AudioError) -> Product {
    let task: BackgroundOpening
    do {
      task = try start(opening, closing: closing)
    } catch {
      throw AudioError("\(subject) cannot be used: \(error).")
    }
    switch task.wait(atMost: patience, isCancelled: isCancelled) {
    case .opened(let product): return product
    case .failed(let error): throw error
    case .running, .abandoned: throw AudioError("\(subject) does not answer; \(remedy).")
    }
  }
}
