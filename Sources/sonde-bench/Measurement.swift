import LinuxIO
import Synchronization

/// The nanoseconds that one unit of work took, in each of several runs.
struct Samples {
  private let sorted: [Double]

  init(_ values: [Double]) { sorted = values.sorted() }

  var median: Double { quantile(0.5) }
  /// The middle half of the runs lies between these.
  var lowerQuartile: Double { quantile(0.25) }
  var upperQuartile: Double { quantile(0.75) }

  var largest: Double { sorted.last ?? .nan }

  private func quantile(_ part: Double) -> Double {
    guard let last = sorted.indices.last else { return .nan }
    let place = part * Double(last)
    let below = Int(place)
    let above = min(below + 1, last)
    return sorted[below] + (sorted[above] - sorted[below]) * (place - Double(below))
  }
}

/// How long one unit of a piece of work takes.
struct Measurement {
  /// Time on a processor: what counts on a machine that does other things too.
  var processor: Samples
  var wall: Samples

  init(processor: [Double], wall: [Double]) {
    self.processor = Samples(processor)
    self.wall = Samples(wall)
  }

  /// Runs `work`, which says how many units it did, once to warm up and then `runs` times, on this thread.
  init(runs: Int, _ work: () throws -> Int) rethrows {
    var processor: [Double] = []
    var wall: [Double] = []
    for run in 0...runs {
      let wallStart = monotonicNow()
      let processorStart = threadProcessorTime()
      let units = Double(try work())
      let processorTime = Double(threadProcessorTime() - processorStart)
      let wallTime = Double(monotonicNow() - wallStart)
      if run == 0 { continue }
      processor.append(processorTime / units)
      wall.append(wallTime / units)
    }
    self.init(processor: processor, wall: wall)
  }
}

/// Keeps what was computed alive, so that no work is left out as useless.
func use(_ result: Double) { lastResult.store(result.bitPattern, ordering: .relaxed) }

private let lastResult = Atomic<UInt64>(0)
