import Events
import Testing

@Suite struct ControlTests {
  @Test func namesAndNumbersAreUnique() {
    #expect(Set(Control.all.map(\.name)).count == Control.all.count)
    #expect(Set(Control.all.map(\.id)).count == Control.all.count)
  }

  @Test func theTableAgreesWithTheNumbers() {
    #expect(Control.named("touchpad.click")?.id == .touchpadClick)
    #expect(Control.named("capture")?.id == .capture)
    #expect(Control.named("paddle4")?.id == .paddle4)
    #expect(Control.named("gyro.z")?.id == ControlID.gyroX.offset(by: 2))
    #expect(Control.named("accelerometer.length")?.id == .accelerometerLength)
    #expect(Control.named("touch9.down")?.id == ControlID.touchX(9).offset(by: 2))
  }

  @Test func rawCodesKeepNodeTypeAndCode() {
    let id = ControlID.raw(.motion, type: 3, code: 5)
    #expect(id.isRaw && id.rawNode == .motion && id.rawType == 3 && id.rawCode == 5)
    #expect(!ControlID.touchpadClick.isRaw)
  }
}
