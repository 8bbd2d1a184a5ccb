/// A jump of a recorded signal.
struct Step: BitwiseCopyable, Equatable {
  var frame: Int64
  /// The level from there on.
  var level: Float
}

/// The jumps of a signal, found as its blocks arrive.
///
/// Recording belongs to one thread, which may be a realtime one: nothing is allocated after `init`.
final class StepTrace: @unchecked Sendable {
  private let capacity: Int
  private let storage: UnsafeMutablePointer<Step>
  private var count = 0
  private var level: Float = 0
  /// What did not fit.
  private(set) var lost = 0

  /// A smaller difference between two samples is no jump: half of what two neighbouring codes differ by.
  static var threshold: Float { 0.5 / Float(StepCode.count + 1) }

  init(capacity: Int) {
    self.capacity = capacity
    storage = .allocate(capacity: capacity)
  }

  deinit { storage.deallocate() }

  /// Looks through one block, whose first sample is `frame`.
  func record(_ samples: UnsafePointer<Float>, count frames: Int, at frame: Int64) {
    for index in 0..<frames {
      let sample = samples[index]
      let difference = sample - level
      if difference < StepTrace.threshold && difference > -StepTrace.threshold { continue }
      level = sample
      if count == capacity {
        lost += 1
      } else {
        (storage + count).initialize(to: Step(frame: frame + Int64(index), level: sample))
        count += 1
      }
    }
  }

  /// All jumps so far; when nobody records any more.
  var steps: [Step] { Array(UnsafeBufferPointer(start: storage, count: count)) }
}

/// The level that tells which of the last gestures is heard.
///
/// Codes go round, so a gesture must sound before `count` others are made.
enum StepCode {
  static let count = 15

  static func code(of gesture: Int) -> Int { gesture % count }

  /// The level of a code, in sixteenths of full scale: exact in any sample format.
  static func level(of code: Int) -> Double { Double(code + 1) / Double(count + 1) }

  /// The code that has this level, or nil for silence and for anything between two levels.
  static func code(of level: Float) -> Int? {
    let scaled = level * Float(count + 1)
    let nearest = scaled.rounded()
    if abs(scaled - nearest) > 0.1 || nearest < 1 || nearest > Float(count) { return nil }
    return Int(nearest) - 1
  }
}
