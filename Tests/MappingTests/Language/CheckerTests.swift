import Testing

@testable import Mapping

/// If these fail, a mistake passes in silence, or a good line is refused.
@Suite struct CheckerTests {
  /// A line or lines with one mistake, and where and what it is; columns counted by hand.
  static let mistakes: [(text: String, place: String)] = [
    // Statements
    ("pad left.x -> y", "1:1 unknown-statement"),
    ("devise pad gamepad", "1:1 unknown-statement"),
    ("cutoff", "1:7 missing-target"),
    ("gamepad.left.x ->", "1:16 missing-target"),
    ("gamepad.left.x | abs", "1:21 missing-target"),
    ("gamepad.left.x => y", "1:16 unexpected-character"),
    ("gamepad.left.x → y", "1:16 unexpected-character"),
    ("gamepad.left.x deadzone 0.1 -> y", "1:16 bad-statement"),
    ("gamepad.left.x -> a b", "1:19 unknown-target"),
    ("gamepad.left.x -> not Blip key=C4", "1:19 unknown-target"),
    ("gamepad.left.x -> a | abs", "1:21 bad-statement"),
    ("gamepad.left.x -> a,", "1:21 bad-statement"),
    ("gamepad.left.x -> \"a", "1:19 unclosed-quote"),
    ("gamepad.left.x -> \"a\\n\"", "1:21 bad-escape"),
    ("csd tilt.csd", "1:5 bad-statement"),
    ("csd ../csd/tilt.csd", "1:5 bad-statement"),
    ("csd \"a.csd\" x", "1:13 bad-statement"),
    ("csd", "1:4 bad-statement"),
    ("device pad", "1:11 bad-statement"),
    ("device 4pad gamepad", "1:8 bad-name"),
    ("device my-pad gamepad", "1:8 bad-name"),
    ("device midi midi", "1:8 reserved-name"),
    ("device motion gamepad", "1:8 reserved-name"),
    ("device pad gamepad index = 1", "1:26 bad-statement"),
    ("widget slider note", "1:15 reserved-name"),
    ("gamepad.left.x -> all", "1:19 reserved-name"),
    ("[grip gamepad.left.x -> y", "1:7 bad-statement"),
    ("widget cutoff", "1:14 bad-statement"),
    ("device pad gamepad index = 1\npad.south -> note 1", "1:26 bad-statement"),
    ("widget slider cutoff min=5 max =9\ngamepad.left.x -> cutoff", "1:32 bad-statement"),
    ("gamepad.left.x | deadzone 0,1 -> y", "1:28 bad-number"),
    ("midi.cc 1 -> y", "1:9 bad-statement"),
    // Names
    ("pad.left.x -> y", "1:1 unknown-device"),
    ("left.x -> y", "1:1 unknown-device"),
    ("\"my pad\".left.x -> y", "1:1 unknown-device"),
    ("gamepad -> y", "1:1 unknown-control"),
    ("gamepad.sauth -> y", "1:9 unknown-control"),
    ("gamepad.cross -> y", "1:9 unknown-control"),
    ("gamepad.dpad -> y", "1:9 unknown-control"),
    ("gamepad.cc1 -> y", "1:9 unknown-control"),
    ("gamepad.ABS_QX -> y", "1:9 unknown-control"),
    ("gamepad.REL_X -> y", "1:9 unknown-control"),
    ("motion.left.x -> y", "1:8 unknown-control"),
    ("midi.CC1 -> y", "1:6 unknown-control"),
    ("midi.cc128 -> y", "1:6 unknown-control"),
    ("midi.ch17.cc1 -> y", "1:6 unknown-control"),
    ("device pad gampad", "1:12 unknown-device-kind"),
    ("device pad gamepad modle=dualsense", "1:20 unknown-attribute"),
    ("device pad gamepad mpe=lower", "1:20 unknown-attribute"),
    ("device pad gamepad model=dualsence", "1:26 unknown-model"),
    ("device pad gamepad index=0", "1:26 bad-value"),
    ("device pad gamepad vendor=xyz", "1:27 bad-value"),
    ("device pad gamepad vendor=12345", "1:27 bad-value"),
    ("device pad gamepad name=", "1:25 bad-statement"),
    ("device pad gamepad name=\"\"", "1:25 bad-value"),
    ("device pad gamepad index=1 index=2", "1:28 duplicate-attribute"),
    ("widget slidr a", "1:8 unknown-widget-kind"),
    ("widget slider a mix=1", "1:17 unknown-attribute"),
    ("widget slider a scale=lag", "1:23 bad-value"),
    ("[grip] gamepad.left.x -> y", "1:2 unknown-layer"),
    ("gamepad.left.x | invrt -> y", "1:18 unknown-stage"),
    ("widget slider cutoff\ngamepad.left.x -> widget cutof", "2:26 unknown-widget"),
    ("widget slider cutoff\ngamepad.left.x -> note Blip kay=4", "2:29 unknown-attribute"),
    // Values
    ("widget slider a min=1 max=1", "1:27 empty-range"),
    ("widget slider a min=2", "1:21 empty-range"),
    ("widget slider a min=0 max=8 scale=log", "1:29 log-range"),
    ("widget slider a max=2 default=3", "1:31 default-outside"),
    ("widget slider a step=0", "1:22 bad-value"),
    ("widget slider a max=.5", "1:21 bad-number"),
    ("widget slider a max=5Hz", "1:21 wrong-unit"),
    ("widget slider a max=lots", "1:21 bad-value"),
    ("gamepad.left.x | from 1 -> y", "1:23 bad-argument"),
    ("gamepad.left.x | from -> y", "1:22 bad-argument"),
    ("gamepad.left.x | from 0..1 2 -> y", "1:28 bad-argument"),
    ("gamepad.left.x | from 0..0 -> y", "1:23 empty-range"),
    ("gamepad.left.x | from 1..0 -> y", "1:23 empty-range"),
    ("gamepad.left.x | from -1deg..1deg -> y", "1:23 wrong-unit"),
    ("motion.attitude.roll | from -1..20deg -> y", "1:29 wrong-unit"),
    ("motion.attitude.roll | from -7..1 -> y", "1:29 angle-bounds"),
    ("gamepad.attitude.pitch | invert | from 0..90 -> y", "1:40 angle-bounds"),
    ("gamepad.left.x | to 5..5 -> y", "1:21 empty-range"),
    ("gamepad.left.x | to 0..5 log -> y", "1:21 log-range"),
    ("gamepad.left.x | to 0..5 lag -> y", "1:26 bad-argument"),
    ("gamepad.left.x | to 0..5 pow -> y", "1:29 bad-argument"),
    ("gamepad.left.x | to 0..5 pow 0 -> y", "1:30 bad-value"),
    ("gamepad.left.x | to -60dB..0dB -> y", "1:21 wrong-unit"),
    ("gamepad.left.x | to 1ms..9ms -> y", "1:21 wrong-unit"),
    ("gamepad.left.x | deadzone 1 -> y", "1:27 bad-value"),
    ("gamepad.left.x | deadzone -0.1 -> y", "1:27 bad-value"),
    ("gamepad.left.x | deadzone 5ms -> y", "1:27 wrong-unit"),
    ("gamepad.left.x | deadzone 0.1 radial -> y", "1:18 bad-argument"),
    ("gamepad.left.x | smooth 20 -> y", "1:25 missing-unit"),
    ("gamepad.left.x | smooth 20Hz -> y", "1:25 wrong-unit"),
    ("gamepad.left.x | smooth -2ms -> y", "1:25 bad-value"),
    ("gamepad.left.x | smooth 20sec -> y", "1:25 unknown-unit"),
    ("gamepad.left.x | from .5..1 -> y", "1:23 bad-number"),
    ("gamepad.left.x | quantize scale majr root C4 -> y", "1:33 unknown-scale"),
    ("gamepad.left.x | held 1 -> y", "1:23 missing-unit"),
    ("gamepad.left.x | quantize scale major -> y", "1:38 bad-argument"),
    ("gamepad.south -> note 0", "1:23 bad-value"),
    ("gamepad.south -> note 1.5", "1:23 bad-value"),
    ("gamepad.south -> note", "1:22 bad-statement"),
    ("gamepad.south -> note 1 key=H4", "1:29 bad-value"),
    ("gamepad.south -> note 1 velocity=loud", "1:34 bad-value"),
    ("gamepad.south -> note 1 key=gamepad.lfet.x", "1:37 unknown-control"),
    // Structure
    ("gamepad.left.x | smooth 2ms | abs -> y", "1:31 stage-order"),
    ("gamepad.left.x | smooth 2ms | smooth 2ms -> y", "1:31 stage-order"),
    ("gamepad.south | smooth 2ms -> note 1", "1:17 stage-order"),
    ("gamepad.left -> a", "1:17 target-count"),
    ("gamepad.left -> a, b, c", "1:17 target-count"),
    ("motion.accelerometer -> a, b", "1:25 target-count"),
    ("device a gamepad\nwidget slider a", "2:15 duplicate-name"),
    ("csd \"a.csd\"\ncsd \"b.csd\"", "2:5 second-csd"),
  ]

  @Test(arguments: mistakes) func aMistakeIsNamedAtItsPlace(text: String, place: String) {
    let compilation = check(text)
    #expect(compilation.places == [place], "\(compilation.rendered)")
    #expect(compilation.description == nil)
  }

  /// What the language has and this version has not, each in one line that is otherwise good.
  static let missing: [(text: String, place: String)] = [
    ("device k midi", "1:10"), ("device i imu", "1:10"), ("device e evdev", "1:10"),
    ("device p gamepad frame=sony", "1:18"),
    ("device p gamepad mount=\"1 0 0; 0 1 0; 0 0 1\"", "1:18"),
    ("device p gamepad grab=yes", "1:18"),
    ("imu.gyro.x -> a", "1:1"), ("midi.cc1 -> a", "1:1"), ("midi -> a", "1:1"),
    ("gamepad.touches -> note 1", "1:9"), ("motion.attitude.yaw -> a", "1:8"),
    ("motion.quaternion.w -> a", "1:8"), ("motion.magnetometer -> a, b, c", "1:8"),
    ("motion.gyro.world.yaw -> a", "1:8"), ("channel a -> b", "1:9"),
    ("widget slider a\na -> b", "2:1"), ("widget knob a", "1:8"), ("widget xy a", "1:8"),
    ("widget slider a merge=sum", "1:17"), ("widget slider a takeover=pickup", "1:17"),
    ("layer l = gamepad.south", "1:7"),
    ("gamepad.south -> event \"i 1 0 1 {value}\"", "1:18"),
    ("gamepad.south -> midi all ch=1", "1:18"),
    ("gamepad.south -> panic", "1:18"), ("gamepad.south -> mute", "1:18"),
    ("gamepad.south -> recenter gamepad all", "1:18"), ("gamepad.south -> widget hinted", "1:25"),
    ("gamepad.left.x <-> a", "1:16"), ("gamepad.south -> note 1 key=gamepad.left.x", "1:29"),
    ("gamepad.ABS_RZ | to 0..1 -> a", "1:18"), ("gamepad.ABS_RZ | abs | invert -> a", "1:24"),
    ("gamepad.ABS_RZ -> note 1", "1:1"), ("widget slider a\ngamepad.ABS_RZ -> b, a", "2:1"),
    ("gamepad.left.x | center 0.1 -> a", "1:18"), ("gamepad.left.x | curve pow 2 -> a", "1:18"),
    ("gamepad.left.x | curve sine -> a", "1:18"),
    ("gamepad.left.x | curve table \"0:0 1:1\" -> a", "1:18"),
    ("gamepad.left.x | quantize 0.1 hysteresis 0.01 -> a", "1:18"),
    ("gamepad.left.x | quantize scale major root C4 hz hysteresis 0.2 -> a", "1:18"),
    ("gamepad.left.x | quantize scale \"0 2 3 7\" root 60 -> a", "1:18"),
    ("gamepad.left.x | threshold 0.5 hysteresis 0.1 -> a", "1:18"),
    ("gamepad.left.x | is 1..1 -> a", "1:18"),
    ("gamepad.left.x | strike 1.5 refractory 50ms -> a", "1:18"),
    ("gamepad.south | held 1s -> a", "1:17"), ("gamepad.south | tap 200ms -> a", "1:17"),
    ("gamepad.south | debounce 5ms -> a", "1:17"), ("gamepad.left.x | euro 1Hz 0.01 -> a", "1:18"),
    ("gamepad.left.x | delta -> a", "1:18"), ("gamepad.left.x | integrate -> a", "1:18"),
    ("gamepad.left.x | accumulate 0..1 wrap start 0.5 -> a", "1:18"),
    ("gamepad.left.x | rest 0 -> a", "1:18"), ("gamepad.left.x | latch -> a", "1:18"),
    ("gamepad.south | toggle -> a", "1:17"), ("gamepad.south | step -0.1 wrap -> a", "1:17"),
    ("gamepad.left.x | relative twos step 0.1 accelerate 2 -> a", "1:18"),
    ("gamepad.left.x | pickup -> a", "1:18"), ("gamepad.left.x | jump -> a", "1:18"),
    ("gamepad.left.x | catch -> a", "1:18"), ("gamepad.left.x | slew 1 2 -> a", "1:18"),
  ]

  @Test(arguments: missing) func whatIsNotBuiltSaysSo(text: String, place: String) {
    let compilation = check(text)
    #expect(
      compilation.places == ["\(place) not-in-this-version"], "\(text)\n\(compilation.rendered)")
    #expect(compilation.rendered.contains("not in this version of Sonde."))
  }

  static let good: [String] = [
    "", "# nothing", "gamepad.left.x -> a", "gamepad.left.x->a,b,c", "gamepad.left -> a, b",
    "motion.gyro.length -> a", "motion.gravity -> x, y, z",
    "gamepad.touch9.down -> note \"my instrument\"",
    "gamepad.ABS_RZ -> a", "gamepad.motion.ABS_RZ | from -100..100 -> a",
    "gamepad.touchpad.ABS_X -> a", "gamepad.ABS_X | abs | smooth 1s -> a, note 1 velocity=9",
    "widget slider a\ngamepad.ABS_RZ | from 0..255 -> a", "gamepad.BTN_A | to 1..0 -> a",
    "gamepad.BTN_SOUTH -> note 1", "gamepad.KEY_BACK -> note 1",
    "gamepad.left | deadzone 0.1 radial -> a, b", "gamepad.left.x | deadzone 0 -> a",
    "gamepad.left.x | to 1..0 -> a", "gamepad.left.x | to -60..0 db -> a",
    "gamepad.left.x | to -60dB..0dB db -> a", "gamepad.left.x | to 20Hz..2000Hz log -> a",
    "motion.attitude.roll | from -6.2..6.2 -> a", "motion.attitude.roll | from 0..360deg -> a",
    "motion.attitude.roll | to 0..100 | from 10..50 -> a",
    "motion.gyro.x | from -90deg..90deg -> a",
    "motion.acceleration.length | from 0g..2g -> a", "gamepad.left.x | from -5..5 -> a",
    "gamepad.left.x -> channel mute", "gamepad.left.x -> \"mute\"",
    "gamepad.left.x -> \"two words\"",
    "gamepad.south -> note 1 key=F#3 velocity=100",
    "gamepad.south -> note Blip velocity=1 key=60.5",
    "gamepad.south -> note Blip, note Blop key=C5, level",
    "gamepad.left.x | smooth 20ms -> a, note 1",
    "device pad gamepad name=\"Wireless*\" uniq=aa:bb serial=x path=\"usb-1.2\" vendor=054c product=0x0ce6 index=2\npad.south -> note 1",
    "device \"my pad\" gamepad\n\"my pad\".left.x -> a",
    "device my.pad gamepad\nmy.pad.left.x -> a",
    "pad.left.x -> a\ndevice pad gamepad",
    "widget slider a.b min=-1 max=1 step=0.1\ngamepad.left.x -> a.b",
    "widget slider a merge=last takeover=jump scale=linear",
    "widget button go\ngamepad.south -> widget go",
    "gamepad.left.x | abs | invert | from 0..0.5 | to 0..1 pow 0.5 | smooth 0.5s -> a",
    "gamepad.touch{0..9}.x -> finger{0..9}",
  ]

  @Test(arguments: good) func whatIsRightPasses(text: String) {
    let compilation = check(text)
    #expect(compilation.diagnostics == [], "\(compilation.rendered)")
    #expect(compilation.description != nil)
  }

  @Test func everythingWrongIsToldAtOnceAndSorted() {
    #expect(
      check(
        """
        device pad gamepd
        widget slider cutoff min=5 max=2
        pad.left.x | smoth 2ms | from 0..0 | nope -> cutoff, all, note
        gamepad.lft.x | smooth 20 -> "x
        """
      ).places == [
        "1:12 unknown-device-kind", "2:32 empty-range", "3:14 unknown-stage", "3:31 empty-range",
        "3:38 unknown-stage", "3:54 reserved-name", "3:63 bad-statement", "4:9 unknown-control",
        "4:24 missing-unit", "4:30 unclosed-quote",
      ])
  }

  @Test func theLinesOfADeviceWithAMisspeltKindAreCheckedToo() {
    #expect(
      check(
        """
        device pad gamepadd
        pad.lefft.x -> x
        pad.attitude.roll | from -180..180 -> z
        """
      ).places == ["1:12 unknown-device-kind", "2:5 unknown-control", "3:26 angle-bounds"])
  }

  @Test func twoLinesToOneChannelAreAWarningAndPlay() {
    let compilation = check("gamepad.left.x -> pan\ngamepad.right.x -> pan")
    #expect(compilation.description != nil)
    #expect(
      compilation.rendered == """
        test.map:2:20: warning: Two lines feed the channel `pan`; the last event wins. [shared-channel]
        gamepad.right.x -> pan
                           ^~~
        hint: use layers, or a widget with merge=
        test.map:1:19: note: Also fed here.
        gamepad.left.x -> pan
                          ^~~
        """)
    #expect(
      check("widget slider pan\ngamepad.left.x -> pan\ngamepad.right.x -> pan").diagnostics == [])
  }

  @Test func aWidgetMissedByALetterIsAWarning() {
    let compilation = check("widget slider cutoff\ngamepad.left.x -> cutof, Cutoff")
    #expect(compilation.places == ["2:19 nearly-a-widget", "2:26 nearly-a-widget"])
    #expect(compilation.description != nil)
    #expect(check("widget slider vol1\ngamepad.left.x -> vol2").diagnostics == [])
    #expect(check("widget slider cutoff\ngamepad.left.x -> channel cutof").diagnostics == [])
  }

  @Test func labelsAreNoTargets() {
    #expect(
      check("widget label shown\ngamepad.left.x -> shown").places == [
        "1:8 not-in-this-version", "2:19 not-a-target",
      ])
  }

  @Test func circlesAreFound() {
    let places = check("channel a -> b\nchannel b -> c\nchannel c -> a\nchannel d -> a").places
    #expect(places.filter { $0.hasSuffix("loop") } == ["3:9 loop"])
    #expect(check("channel a -> a").places.contains("1:9 loop"))
    #expect(!check("channel a -> b\nchannel a -> b").places.contains { $0.hasSuffix("loop") })
  }

  @Test func layersAreLookedUp() {
    #expect(
      check("layer grip = gamepad.south\n[grip, !grp] gamepad.left.x -> y").places == [
        "1:7 not-in-this-version", "2:9 unknown-layer",
      ])
  }
}
