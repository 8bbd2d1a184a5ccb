import Glibc

/// A thread of its own for something that must answer while the test waits.
public final class BackgroundThread: @unchecked Sendable {
  // Written once before the thread can be joined, and read only by `join`.
  private var thread = pthread_t()

  private final class Start {
    let body: @Sendable () -> Void
    /// Starts `body`.
    ///
    /// - Throws: `SystemCallError` when the system gives no thread.
    public init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Starts `body`.
  ///
  /// - Throws: `SystemCallError` when the system gives no thread.
  public init(_ body: @escaping @Sendable () -> Void) throws {
    let start = Unmanaged.passRetained(Start(body))
    let code = pthread_create(
      &thread, nil,
      { argument in
        Unmanaged<Start>.fromOpaque(argument!).takeRetainedValue().body()
        return nil
      }, start.toOpaque())
    guard code == 0 else {
      start.release()
      throw SystemCallError("Cannot start a thread", code: code)
    }
  }

  /// Waits for the thread's end. Either this or `detach` is called, once.
  public func join() { pthread_join(thread, nil) }

  /// Lets the thread go its own way.
  public func detach() { pthread_detach(thread) }
}
