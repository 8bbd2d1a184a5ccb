import Events
import Testing
import Widgets

@testable import Mapping

/// The mapping that the language's description begins with.
let completeExample = """
  # A DualSense and a nanoKONTROL2 play one filter.
  csd "../csd/motion-control.csd"

  device pad    gamepad model=dualsense
  device knobs  midi    name="X-TOUCH MINI*"

  widget slider cutoff    min=60 max=10000 default=3000 scale=log
  widget slider resonance min=0  max=0.8   default=0.2
  widget slider vol{1..4} default=0.8
  layer  grip = pad.left.shoulder

  pad.attitude.roll | from -45deg..45deg            -> resonance            # a widget: scaled into its range
  pad.accelerometer -> accelerometerX, accelerometerY, accelerometerZ       # channels: as they are
  [grip]  pad.left.y | deadzone 0.08 | to 0..1 pow 3 | smooth 20ms -> brightness
  [!grip] pad.left.y                                -> pan
  pad.south                                         -> note Blip key=C4
  pad.acceleration.length | strike 1.5g             -> note Drum key=36
  knobs.cc{1..4} | pickup                           -> vol{1..4}            # four lines in one
  knobs.cc8 <-> cutoff                              # and its LED ring follows the widget
  knobs.ch10.note36                                 -> note Kick
  knobs -> midi                                     # what no other line of that device uses, straight to Csound
  """

/// If these fail, the first thing that a newcomer copies does not do what the description says.
@Suite struct ExampleTests {
  @Test func onlyWhatIsNotBuiltIsReported() {
    #expect(
      check(completeExample).places == [
        "5:15 not-in-this-version",  // midi
        "10:8 not-in-this-version",  // layer
        "17:27 not-in-this-version",  // strike
        "18:18 not-in-this-version",  // pickup
        "19:11 not-in-this-version",  // <->
        "21:10 not-in-this-version",  // midi
      ])
  }

  @Test func theWorkingPartOfItIsResolved() throws {
    let description = try #require(
      check(
        """
        csd "../csd/motion-control.csd"
        device pad gamepad model=dualsense
        widget slider resonance min=0 max=0.8 default=0.2
        pad.attitude.roll | from -45deg..45deg -> resonance
        pad.accelerometer -> accelerometerX, accelerometerY, accelerometerZ
        pad.left.y | deadzone 0.08 | to 0..1 pow 3 | smooth 20ms -> brightness
        pad.south -> note Blip key=C4
        """
      ).description)
    #expect(description.csd == "../csd/motion-control.csd")
    #expect(
      description.devices == [
        DeviceDeclaration(
          name: "pad", role: .declared(.gamepad), matchers: .init(model: "dualsense")),
        // The six standard channels that no line has follow the first motion device.
        DeviceDeclaration(name: "motion", role: .motion),
      ])
    #expect(description.widgets.map(\.defaultValue) == [0.2])
    let routes = description.routes.filter { !$0.isImplicit }
    #expect(routes.map(\.line?.number) == [4, 5, 5, 5, 6, 7])
    #expect(routes[0].isAngle)
    #expect(routes[0].stages == [.from(ValueRange(-Double.pi / 4, Double.pi / 4))])
    #expect(routes[0].targets == [.widget(0)])
    #expect(
      routes[1...3].map(\.control) == [
        .accelerometerX, .accelerometerX.offset(by: 1), .accelerometerX.offset(by: 2),
      ])
    #expect(routes[2].targets == [.channel("accelerometerY")])
    #expect(
      routes[4].stages == [.deadzone(0.08), .to(.unipolar, .pow(3)), .smooth(seconds: 0.02)])
    #expect(routes[4].identity == "pad.left.y | deadzone | to | smooth -> brightness")
    #expect(routes[5].targets == [.note(instrument: "Blip", key: 60)])
    #expect(
      description.routes.filter(\.isImplicit).flatMap(\.targets) == [
        .channel("gyroX"), .channel("gyroY"), .channel("gyroZ"), .channel("attitudeRoll"),
        .channel("attitudePitch"), .channel("attitudeYaw"),
      ])
  }
}
