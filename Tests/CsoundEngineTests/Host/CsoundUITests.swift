import CsoundEngine
import Events
import LinuxIO
import Testing
import Widgets

/// If one of these fails, a panel shows or moves something else than the music.
@Suite struct CsoundUITests {
  private let mirror = csd(
    "instr 1\nk1 chnget \"in\"\nchnset k1 * 2, \"out\"\nendin\nschedule 1, 0, -1")

  @Test func slidersKeepToTheirRangeAndSteps() throws {
    let csound = CsoundObj()
    let ui = CsoundUI(csound)
    let slider = try ui.addSlider(
      "a", range: ValueRange(10, 20), defaultValue: 12, step: 0.5)
    #expect(slider.value == 12)
    slider.value = 17.3
    #expect(slider.value == 17.5 && slider.fraction == 0.75)
    slider.value = 99
    #expect(slider.value == 20)
    slider.value = .nan
    slider.fraction = .nan
    #expect(slider.value == 20)
    slider.fraction = 0.5
    #expect(slider.value == 15)
    // The geometric mean is in the middle of a logarithmic scale.
    let knob = try ui.addKnob("b", range: ValueRange(60, 6000), scale: .log)
    knob.fraction = 0.5
    #expect(abs(knob.value - 600) < 1e-9)
    #expect(throws: EngineError.self) { try ui.addSlider("") }
  }

  @Test func severalWidgetsShareAChannel() throws {
    let csound = CsoundObj()
    let ui = CsoundUI(csound)
    let slider = try ui.addSlider("in", range: ValueRange(440, 880))
    let label = try ui.addLabel("in")
    let other = try ui.addNumber("in", range: ValueRange(0, 1000), defaultValue: 3)
    #expect(slider.value == 440 && other.value == 440, "the first one's default stays")
    try play(csound, mirror)
    let out = try csound.controlChannel("out")
    #expect(eventually { out.value == 880 })
    other.value = 500
    #expect(slider.value == 500)
    #expect(eventually { out.value == 1000 && label.text == "500.00" })
    csound.stop()
  }

  @Test func theOrchestraMovesWidgets() throws {
    let csound = CsoundObj()
    let ui = CsoundUI(csound)
    let slider = try ui.addSlider("out")
    let meter = try ui.addMeter("out", hold: 100)
    slider.value = 0.25
    try play(csound, csd("instr 1\nchnset k(p4), \"out\"\nendin"))
    #expect(slider.value == 0.25)
    try csound.sendScore("i1 0 0.05 0.75")
    #expect(eventually { slider.takeChange() && slider.value == 0.75 })
    #expect(meter.level == (0.75, 0.75))
    slider.value = 0.5
    #expect(meter.level == (0.5, 0.75))
    csound.stop()
  }

  @Test func buttonsSwitchesAndPads() throws {
    let csound = CsoundObj()
    let ui = CsoundUI(csound)
    let toggle = try ui.addSwitch("s", isOn: true)
    let button = try ui.addButton("b")
    let pad = try ui.addXY("p", x: ValueRange(-1, 1))
    #expect(toggle.isOn && !button.isOn)
    button.isOn = true
    pad.move(x: 0, y: 2)
    #expect(try csound.controlChannel("b").value == 1)
    #expect(try csound.controlChannel("p.x").value == 0)
    #expect(try csound.controlChannel("p.y").value == 1)
    #expect(pad.x.fraction == 0.5)
  }

  @Test func aLabelHasItsPrecisionAtAnyTime() throws {
    let csound = CsoundObj()
    let label = try CsoundUI(csound).addLabel("x", precision: 3)
    try csound.controlChannel("x").value = -2.0 / 3
    #expect(label.text == "-0.667")
    label.precision = 0
    #expect(label.text == "-1")
    label.precision = 8
    #expect(label.text == "-0.66666667")
    try csound.controlChannel("x").value = -0.001
    label.precision = 2
    #expect(label.text == "0.00")
    label.precision = 99
    #expect(label.precision == 15)
  }

  @Test(arguments: ["1", "Key"])
  func keysSoundWhileTheyAreDown(instrument: String) throws {
    let csound = CsoundObj()
    let keyboard = try CsoundUI(csound).addKeyboard(instrument)
    #expect(throws: EngineError.self) { try keyboard.press(60) }
    #expect(keyboard.keys == [])
    try play(
      csound,
      csd(
        """
        instr \(instrument)
         chnset p4, "key"
         chnset p5, "velocity"
        endin
        instr 99
         k1 active "\(instrument)"
         k2 active 1
         chnset \(instrument == "1" ? "k2" : "k1"), "sounding"
        endin
        schedule 99, 0, -1
        """))
    let sounding = try csound.controlChannel("sounding")
    let key = try csound.controlChannel("key")
    try keyboard.press(60, velocity: 90)
    #expect(eventually { sounding.value == 1 && key.value == 60 })
    let velocity = try csound.controlChannel("velocity")
    #expect(eventually { velocity.value == 90 })
    try keyboard.press(64)
    try keyboard.press(64)
    #expect(eventually { sounding.value == 2 && key.value == 64 })
    try keyboard.release(60)
    try keyboard.release(60)
    #expect(eventually { sounding.value == 1 })
    #expect(keyboard.keys == [64])
    try keyboard.releaseAll()
    #expect(eventually { sounding.value == 0 })
    #expect(throws: EngineError.self) { try keyboard.press(128) }
    csound.stop()
    #expect(throws: EngineError.self) { try CsoundUI(csound).addKeyboard("no name") }
  }
}
