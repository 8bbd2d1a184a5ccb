import Events
import Testing

@testable import Mapping

/// A small generator with a seed, so that a failure can be repeated (SplitMix64, Steele et al. 2014).
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
    return word ^ word >> 31
  }
}

/// If these fail, some range makes a control jump back, miss its end or drift in its centre.
struct StagePropertyTests {
  private static func shapes(_ generator: inout SeededGenerator) -> Stage.Shape {
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: .linear
    case 1: .log
    case 2: .pow(Double.random(in: 0.1...6, using: &generator))
    default: .decibels
    }
  }

  @Test(arguments: 1...200)
  func toIsMonotoneWithExactEnds(_ seed: UInt64) {
    var generator = SeededGenerator(state: seed)
    let low = Double.random(in: -100...100, using: &generator)
    let input = ValueRange(low, low + Double.random(in: 1e-3...200, using: &generator))
    let shape = StagePropertyTests.shapes(&generator)
    let positive = shape == .log
    let first = Double.random(in: positive ? 0.01...90 : -90...90, using: &generator)
    let last = Double.random(in: positive ? 0.01...90 : -90...90, using: &generator)
    let chain = StageChain([.to(ValueRange(first, last), shape)], range: input)
    let sign: Double = first < last ? 1 : -1
    if shape != .decibels {
      #expect(chain.apply(input.low) == first)
      #expect(chain.apply(input.high) == last)
    }
    #expect(chain.apply(input.low - 1) == chain.apply(input.low))
    #expect(chain.apply(input.high + 1) == chain.apply(input.high))
    var values = (0..<300).map { _ in Double.random(in: low...input.high, using: &generator) }
    values += [input.low, input.low.nextUp, input.high.nextDown, input.high]
    values.sort()
    let results = values.map { chain.apply($0) * sign }
    #expect(zip(results, results.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(results.allSatisfy { chain.range.low <= $0 * sign && $0 * sign <= chain.range.high })
  }

  @Test(arguments: 1...200)
  func deadzoneIsMonotoneOddAndKeepsEndsAndCentre(_ seed: UInt64) {
    var generator = SeededGenerator(state: seed)
    let end = Double.random(in: 1e-3...300, using: &generator)
    let share = Double.random(in: 0..<0.99, using: &generator)
    let chain = StageChain([.deadzone(share)], range: ValueRange(-end, end))
    #expect(chain.range == ValueRange(-end, end))
    #expect(chain.apply(end) == end)
    #expect(chain.apply(-end) == -end)
    #expect(chain.apply(0) == 0)
    #expect(chain.apply(0).sign == .plus)
    var values = (0..<300).map { _ in Double.random(in: -end...end, using: &generator) }
    values += [share * end, end.nextDown, -end]
    values.sort()
    let results = values.map { chain.apply($0) }
    #expect(zip(results, results.dropFirst()).allSatisfy { $0 <= $1 })
    for value in values {
      #expect(chain.apply(-value) == -chain.apply(value))
      #expect(abs(chain.apply(value)) <= end)
      if abs(value) <= share * end { #expect(chain.apply(value) == 0) }
    }
  }

  @Test(arguments: 1...200)
  func radialDeadzoneKeepsDirectionInsideTheCircle(_ seed: UInt64) {
    var generator = SeededGenerator(state: seed)
    let share = Double.random(in: 0..<0.9, using: &generator)
    let chain = StageChain(
      [.radialDeadzone(share, sibling: .leftY)], range: ValueRange(-1, 1))
    for _ in 0..<100 {
      let x = Double.random(in: -1...1, using: &generator)
      let y = Double.random(in: -1...1, using: &generator)
      let outX = chain.apply(x, sibling: y)
      let outY = chain.apply(y, sibling: x)
      let length = (x * x + y * y).squareRoot()
      if length <= share {
        #expect(outX == 0 && outY == 0)
      } else if length <= 1 {
        #expect(abs(outX * y - outY * x) < 1e-12)
        let expected = (length - share) / (1 - share)
        #expect(abs((outX * outX + outY * outY).squareRoot() - expected) < 1e-12)
      }
      #expect(abs(outX) <= 1)
    }
  }

  @Test(arguments: 1...100)
  func invertTwiceIsNothing(_ seed: UInt64) {
    var generator = SeededGenerator(state: seed)
    let low = Double.random(in: -100...100, using: &generator)
    let range = ValueRange(low, low + Double.random(in: 1e-3...200, using: &generator))
    let once = StageChain([.invert], range: range)
    let twice = StageChain([.invert, .invert], range: range)
    #expect(once.apply(range.low) == range.high)
    #expect(once.apply(range.high) == range.low)
    for _ in 0..<50 {
      let value = Double.random(in: range.low...range.high, using: &generator)
      #expect(abs(twice.apply(value) - value) < 1e-12)
    }
  }
}
