import LinuxIO
import Synchronization

/// Threads of ordinary priority that never rest, as a browser's or a compiler's.
final class ProcessorHogs {
  private final class Hog: ThreadBody {
    let isOver = Atomic<Bool>(false)

    func run() { while !isOver.load(ordering: .relaxed) {} }
  }

  private var hogs: [(hog: Hog, thread: RealtimeThread)] = []
  /// What they spent until `stop`.
  private var spent: Int64 = 0

  init(_ count: Int) throws {
    for number in 0..<count {
      let hog = Hog()
      let thread = try RealtimeThread(name: "bench-hog-\(number)", priority: nil, body: hog)
      hogs.append((hog, thread))
    }
  }

  deinit { stop() }

  /// Nanoseconds that they have spent on processors.
  var processorTime: Int64 { hogs.reduce(spent) { $0 + $1.thread.processorTime } }

  func stop() {
    spent = processorTime
    for each in hogs { each.hog.isOver.store(true, ordering: .relaxed) }
    for each in hogs { each.thread.join() }
    hogs.removeAll()
  }
}
