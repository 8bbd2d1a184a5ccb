import Events
import Testing
import Widgets

/// If these fail, a slider does not reach its ends, or shows another value than the sound has.
struct WidgetScalingTests {
  private let log = WidgetScaling(
    WidgetDescription(name: "f", kind: .slider, range: ValueRange(60, 10000), scale: .log))
  private let linear = WidgetScaling(
    WidgetDescription(name: "r", kind: .slider, range: ValueRange(0.1, 0.7)))

  @Test func endsAreExact() {
    for scaling in [log, linear] {
      #expect(scaling.value(at: 0) == scaling.range.low)
      #expect(scaling.value(at: 1) == scaling.range.high)
      #expect(scaling.fraction(of: scaling.range.low) == 0)
      #expect(scaling.fraction(of: scaling.range.high) == 1)
    }
  }

  @Test func middleIsArithmeticOrGeometric() {
    #expect(abs(linear.value(at: 0.5) - 0.4) < 1e-15)
    // √(60·10000)
    #expect(abs(log.value(at: 0.5) - 774.5966692414834) < 1e-9)
  }

  @Test func outsideIsClampedAndNaNIsLow() {
    #expect(log.value(at: 7) == 10000)
    #expect(log.value(at: -7) == 60)
    #expect(log.value(at: .nan) == 60)
    #expect(linear.clamp(.infinity) == 0.7)
  }

  @Test func fractionIsTheWayBack() {
    for step in 0...1000 {
      let fraction = Double(step) / 1000
      #expect(abs(log.fraction(of: log.value(at: fraction)) - fraction) < 1e-12)
      #expect(abs(linear.fraction(of: linear.value(at: fraction)) - fraction) < 1e-12)
    }
  }
}
