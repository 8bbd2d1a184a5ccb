import Events
import Testing

@testable import sonde

@Suite struct ActivityLineTests {
  private func event(_ control: ControlID, _ value: Double, _ time: Nanoseconds) -> ControlEvent {
    ControlEvent(.value, time: time, device: 0, control: control, value: value)
  }

  @Test func showsWhatMovedAndForgetsItLater() {
    var line = ActivityLine()
    line.note(event(.leftX, -1, 0))
    line.note(event(.south, 1, 0))
    #expect(line.text(at: 100_000_000, width: 80) == "left.x ●·····  [south]")
    // The stick rests where it is; the button is still held.
    #expect(line.text(at: 2_000_000_000, width: 80) == "[south]")
    line.note(event(.south, 0, 2_000_000_000))
    #expect(line.text(at: 2_100_000_000, width: 80) == "")
  }

  @Test func theTremorOfASensorIsNoMovement() {
    var line = ActivityLine()
    line.note(event(.accelerometerX, 0.5, 0))
    line.note(event(.accelerometerX, 0.505, 900_000_000))
    #expect(line.text(at: 1_000_000_000, width: 80) == "")
  }

  @Test func itNeverExceedsTheTerminal() {
    var line = ActivityLine()
    for control in Control.gamepad { line.note(event(control.id, 1, 0)) }
    #expect(line.text(at: 0, width: 40).count <= 40)
  }
}
