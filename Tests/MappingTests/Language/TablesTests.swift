import Events
import Testing

@testable import Mapping

/// If these fail, the reference, completions and the checker speak of another language than the described one.
@Suite struct TablesTests {
  /// As the language's description writes them.
  @Test(arguments: [
    "from a..b", "to a..b [log | pow n | db]", "invert", "abs", "center c", "deadzone d [radial]",
    "curve pow n | sine | table \"x:y …\"",
    "quantize step | scale NAME root KEY [hysteresis h] [hz]", "threshold x [hysteresis h]",
    "is a..b", "strike level [refractory t]", "held t", "tap t", "debounce t",
    "euro mincutoff beta", "delta", "integrate", "accumulate a..b [start v] [wrap]", "rest v",
    "latch", "toggle", "step n [wrap]",
    "relative twos | offset | sign | binary [step s] [accelerate n]", "pickup", "jump", "catch",
    "smooth t", "slew up [down]",
  ]) func stagesAreWrittenSo(usage: String) throws {
    let name = String(usage.prefix { $0 != " " })
    #expect(try #require(StageTable.named(name)).usage == usage)
  }

  @Test func thereAreNoOtherStages() {
    #expect(StageTable.all.count == 28)
    #expect(
      StageTable.all.filter(\.isWorking).map(\.name) == [
        "from", "to", "invert", "abs", "deadzone", "smooth",
      ])
  }

  @Test func wordsOfTargetsAreReserved() {
    #expect(Set(TargetTable.all.map(\.word)).subtracting([""]) == Set(ReservedWords.targets))
    #expect(TargetTable.all.filter(\.isWorking).map(\.word) == ["", "channel", "widget", "note"])
  }

  @Test func widgetKindsAreThoseOfTheModel() {
    #expect(
      WidgetTable.kinds.map(\.name) == [
        "slider", "knob", "button", "momentary", "switch", "number", "label", "xy", "keyboard",
        "meter",
      ])
  }

  @Test func everyControlIsReadUnderItsName() {
    for control in Control.all {
      switch ControlTable.read(control.name, of: .gamepad) {
      case .controls(let found): #expect(found.map(\.id) == [control.id], "\(control.name)")
      case .notInThisVersion: #expect(!ControlTable.isWorking(control.name))
      default: Issue.record("\(control.name) is not read")
      }
    }
    #expect(ControlTable.all.count == Control.all.count)
  }

  @Test(arguments: [
    "cc0", "cc127", "cc1+33", "ch1.cc1", "ch16.note127.velocity", "nrpn16383", "rpn0", "note60",
    "note60.gate", "note.number", "note.velocity", "notes", "notes.bend", "bend", "pressure",
    "program", "bank", "start", "stop", "continue", "clock.tempo", "clock.beat", "clock.tick",
    "ch3.notes",
  ]) func midiControlsAreKnown(name: String) { #expect(MIDIControls.read(name) == .known) }

  @Test(arguments: [
    "cc", "cc1+", "cc1x", "ccx", "note60.loud", "ch.cc1", "ch1", "clock", "CC1", "", "nrpn",
  ]) func othersAreNot(name: String) { #expect(MIDIControls.read(name) == .unknown) }

  @Test(arguments: ["cc128", "ch0.cc1", "ch17.bend", "note128", "nrpn16384", "cc999999", "cc1+128"])
  func numbersThatDoNotExistAreNamed(name: String) {
    guard case .outOfRange = MIDIControls.read(name) else {
      Issue.record("\(name) was taken for \(MIDIControls.read(name))")
      return
    }
  }

  /// From the white keys of a piano: a scale rises, begins at its root and stays below the octave.
  @Test func scalesRiseFromTheirRoot() {
    for (name, steps) in ScaleNames.steps {
      #expect(steps.first == 0 && steps.last! < 12 && steps == Set(steps).sorted(), "\(name)")
    }
  }
}
