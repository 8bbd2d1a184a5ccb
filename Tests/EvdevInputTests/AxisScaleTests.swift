import Testing

@testable import EvdevInput

/// Who loses one of these has a stick that drifts at rest, or that never reaches its end.
@Suite struct AxisScaleTests {
  /// Ranges of real drivers and of odd ones.
  static let ranges: [(Int32, Int32)] = [
    (0, 255), (-32768, 32767), (-32767, 32767), (-127, 127), (-128, 127), (0, 1023), (0, 65535),
    (1, 255), (0, 4095), (-500, 500), (0, 2), (-1, 1), (15, 240), (-1000, -10), (7, 10000),
    (Int32.min, Int32.max), (0, Int32.max), (0, 15),
  ]

  @Test(arguments: ranges)
  func bothEndsAreExactAndTheMiddleIsZero(minimum: Int32, maximum: Int32) throws {
    let scale = try #require(AxisScale(AxisInfo(minimum: minimum, maximum: maximum)))
    #expect(scale.bipolar(minimum, inverted: false) == -1)
    #expect(scale.bipolar(maximum, inverted: false) == 1)
    #expect(scale.bipolar(minimum, inverted: true) == 1)
    #expect(scale.bipolar(maximum, inverted: true) == -1)
    #expect(scale.unipolar(minimum) == 0)
    #expect(scale.unipolar(maximum) == 1)
    let sum = Int(minimum) + Int(maximum)
    for middle in [Int32(sum >> 1), Int32((sum + 1) >> 1)] {
      let value = scale.bipolar(middle, inverted: true)
      #expect(value == 0)
      #expect(value.sign == .plus)
    }
  }

  @Test(arguments: ranges)
  func itRisesInEqualStepsAndIsItsOwnMirrorImage(minimum: Int32, maximum: Int32) throws {
    let scale = try #require(AxisScale(AxisInfo(minimum: minimum, maximum: maximum)))
    let span = Int(maximum) - Int(minimum)
    let stride = max(1, span / 997)
    var last = -2.0
    for offset in Swift.stride(from: 0, through: span, by: stride) {
      let value = Int32(Int(minimum) + offset)
      let mirrored = Int32(Int(maximum) - offset)
      let result = scale.bipolar(value, inverted: false)
      #expect(result >= last)
      #expect(result >= -1 && result <= 1)
      #expect(scale.bipolar(mirrored, inverted: false) == -result)
      #expect(scale.bipolar(value, inverted: true) == -result)
      #expect(abs(scale.unipolar(value) - Double(offset) / Double(span)) < 1e-12)
      last = result
    }
  }

  @Test func aDualSenseStickByHand() throws {
    let scale = try #require(AxisScale(AxisInfo(minimum: 0, maximum: 255)))
    // 127 steps each way beside the two middle numbers 127 and 128.
    #expect(scale.bipolar(128, inverted: false) == 0)
    #expect(scale.bipolar(127, inverted: false) == 0)
    #expect(scale.bipolar(129, inverted: false) == 1.0 / 127)
    #expect(scale.bipolar(126, inverted: false) == -1.0 / 127)
    #expect(scale.bipolar(64, inverted: false) == -63.0 / 127)
  }

  @Test func valuesBeyondTheRangeStayAtItsEnd() throws {
    let scale = try #require(AxisScale(AxisInfo(minimum: -100, maximum: 100)))
    #expect(scale.bipolar(101, inverted: false) == 1)
    #expect(scale.bipolar(.min, inverted: false) == -1)
    #expect(scale.unipolar(.max) == 1)
    #expect(scale.unipolar(-101) == 0)
  }

  @Test func anAxisWithoutARangeHasNoScale() {
    #expect(AxisScale(AxisInfo(minimum: 0, maximum: 0)) == nil)
    #expect(AxisScale(AxisInfo(minimum: 5, maximum: -5)) == nil)
    #expect(AxisScale(AxisInfo(minimum: 0, maximum: 1)) == nil)
  }
}
