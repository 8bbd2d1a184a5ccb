import Events
import Testing

@testable import Mapping

/// If these fail, a stick does not reach its ends or its centre, or bends the wrong way.
struct StageChainTests {
  private let bipolar = ValueRange(-1, 1)
  private let unipolar = ValueRange(0, 1)

  @Test func fromClampsAndBecomesTheRange() {
    let chain = StageChain([.from(ValueRange(-0.5, 0.25))], range: bipolar)
    #expect(chain.range == ValueRange(-0.5, 0.25))
    #expect(chain.apply(-0.9) == -0.5)
    #expect(chain.apply(0.1) == 0.1)
    #expect(chain.apply(3) == 0.25)
    #expect(!chain.speaksWidgetUnits)
  }

  @Test func toIsLinear() {
    let chain = StageChain([.to(ValueRange(60, 100), .linear)], range: bipolar)
    #expect(chain.apply(-1) == 60)
    #expect(chain.apply(0) == 80)
    #expect(chain.apply(0.5) == 90)
    #expect(chain.apply(9) == 100)
    #expect(chain.speaksWidgetUnits)
  }

  @Test func toMayFall() {
    let chain = StageChain([.to(ValueRange(1, 0), .linear)], range: unipolar)
    #expect(chain.apply(0) == 1)
    #expect(chain.apply(0.25) == 0.75)
    #expect(chain.apply(1) == 0)
    #expect(chain.range == unipolar)
  }

  @Test func logHasEqualRatios() {
    let chain = StageChain([.to(ValueRange(100, 10000), .log)], range: unipolar)
    #expect(abs(chain.apply(0.5) - 1000) < 1e-9)
    #expect(abs(chain.apply(0.25) - 316.22776601683796) < 1e-9)
    #expect(chain.apply(1) == 10000)
    let falling = StageChain([.to(ValueRange(8, 1), .log)], range: unipolar)
    #expect(abs(falling.apply(1.0 / 3) - 4) < 1e-12)
  }

  @Test func powBendsTheFraction() {
    let chain = StageChain([.to(ValueRange(10, 20), .pow(3))], range: unipolar)
    // 10 + 10·0.5³
    #expect(chain.apply(0.5) == 11.25)
    // A stick's fraction is (−0.5 + 1)/2 = 0.25: 10 + 10·0.25³.
    #expect(
      StageChain([.to(ValueRange(10, 20), .pow(3))], range: bipolar).apply(-0.5) == 10.15625)
  }

  @Test func decibelsBecomeAmplitudeAndTheBottomIsSilence() {
    let chain = StageChain([.to(ValueRange(-60, 0), .decibels)], range: unipolar)
    #expect(chain.apply(0) == 0)
    #expect(chain.apply(1) == 1)
    // −40 dB and −6 dB
    #expect(abs(chain.apply(1.0 / 3) - 0.01) < 1e-12)
    #expect(abs(chain.apply(0.9) - 0.5011872336272722) < 1e-12)
    #expect(chain.range == unipolar)
    let falling = StageChain([.to(ValueRange(6, -40), .decibels)], range: unipolar)
    #expect(abs(falling.apply(0) - 1.9952623149688795) < 1e-12)
    #expect(falling.apply(1) == 0)
    #expect(falling.apply(0.999) > 0.01)
  }

  @Test func invertMirrors() {
    let chain = StageChain([.invert], range: ValueRange(0.1, 0.7))
    #expect(chain.apply(0.1) == 0.7)
    #expect(chain.apply(0.7) == 0.1)
    #expect(abs(chain.apply(0.2) - 0.6) < 1e-15)
    // Beyond the range it goes on.
    #expect(StageChain([.invert], range: bipolar).apply(1.5) == -1.5)
  }

  @Test(arguments: [
    (ValueRange(-1, 1), ValueRange(0, 1)), (ValueRange(-3, 1), ValueRange(0, 3)),
    (ValueRange(2, 5), ValueRange(2, 5)), (ValueRange(-5, -2), ValueRange(2, 5)),
  ])
  func absFoldsTheRange(_ before: ValueRange, _ after: ValueRange) {
    let chain = StageChain([.abs], range: before)
    #expect(chain.range == after)
    #expect(chain.apply(-2) == 2)
    #expect(chain.apply(2) == 2)
  }

  @Test func deadzoneRescalesWhatIsBeyond() {
    let chain = StageChain([.deadzone(0.2)], range: bipolar)
    for value in [0.2, -0.2, 0.1, 0] { #expect(chain.apply(value) == 0) }
    // (0.6 − 0.2)/0.8
    #expect(abs(chain.apply(0.6) - 0.5) < 1e-15)
    #expect(abs(chain.apply(-0.6) + 0.5) < 1e-15)
    #expect(chain.apply(1) == 1)
    #expect(chain.apply(-1) == -1)
    // Each side by its own end: 1 of 2, and 0.1 of 0.5.
    let lopsided = StageChain([.deadzone(0.2)], range: ValueRange(-0.5, 2))
    #expect(lopsided.apply(0.4) == 0)
    #expect(abs(lopsided.apply(-0.3) + 0.25) < 1e-15)
    #expect(lopsided.range == ValueRange(-0.5, 2))
  }

  @Test func radialDeadzoneLooksAtThePair() {
    let chain = StageChain([.radialDeadzone(0.5, sibling: .leftY)], range: bipolar)
    #expect(chain.sibling == .leftY)
    // Length 0.5: dead. Length 1: as it is. Length 0.75 keeps its direction: factor (0.25/0.5)/0.75.
    #expect(chain.apply(0.3, sibling: 0.4) == 0)
    #expect(abs(chain.apply(0.6, sibling: 0.8) - 0.6) < 1e-15)
    #expect(abs(chain.apply(0.45, sibling: 0.6) - 0.3) < 1e-15)
    // Each alone is dead, the pair is not: √(0.4² + 0.4²) = 0.5657.
    #expect(chain.apply(0.4, sibling: 0.4) > 0)
    for sibling in [-1, -0.3, 0, 0.7, 1] {
      #expect(chain.apply(1, sibling: sibling) == 1)
      #expect(chain.apply(-1, sibling: sibling) == -1)
      #expect(chain.apply(0, sibling: sibling) == 0)
    }
  }

  @Test func earlierStagesReachTheSiblingToo() {
    let chain = StageChain(
      [.from(ValueRange(-0.5, 0.5)), .radialDeadzone(0.2, sibling: .leftY)], range: bipolar)
    // The sibling is clamped to 0.5 first: length √0.5 of 0.5 = 1.2806 at (0.4, 0.5).
    let length = (0.4 * 0.4 + 0.5 * 0.5).squareRoot() / 0.5
    let expected = 0.4 * ((length - 0.2) / (0.8 * length))
    #expect(abs(chain.apply(0.4, sibling: 0.9) - expected) < 1e-15)
  }

  @Test func rangesTravelFromStageToStage() {
    let chain = StageChain(
      [
        .abs, .deadzone(0.5), .invert, .to(ValueRange(-20, 0), .decibels), .smooth(seconds: 0.02),
      ], range: bipolar)
    // |−0.875| = 0.875 → (0.375/0.5) 0.75 → 0.25 → −15 dB
    #expect(abs(chain.apply(-0.875) - 0.17782794100389228) < 1e-12)
    #expect(chain.range == unipolar)
    #expect(chain.smoothing == 0.02)
  }

  @Test func angleFromTheMiddleIsExact() {
    let eighth = Double.pi / 4
    let chain = StageChain(
      [.from(ValueRange(-eighth, eighth)), .to(ValueRange(0, 127), .linear)],
      range: ValueRange(-Double.pi, Double.pi))
    #expect(chain.apply(0) == 63.5)
    #expect(chain.apply(eighth) == 127)
    #expect(chain.apply(-Double.pi) == 0)
  }
}
