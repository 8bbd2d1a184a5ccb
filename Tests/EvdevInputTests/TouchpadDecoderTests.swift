import EvdevInput
import Events
import Testing

/// Who loses one of these puts two fingers on the pad and hears one, or a finger that stays.
@Suite struct TouchpadDecoderTests {
  private func decoded(_ frames: [EvdevEvent]...) -> [Seen] {
    var decoder = TouchpadDecoder(
      node: TestNodes.dualSenseTouchpad, axes: TestNodes.dualSenseTouchpadAxes, device: 1,
      number: 4)
    let buffer = EventBuffer(capacity: 256)
    for frame in frames {
      for event in frame { decoder.decode(event, into: buffer) }
      decoder.endFrame(1, into: buffer)
    }
    return buffer.take()
  }

  @Test func aFingerHasAPlaceThenATouchAndIsLifted() {
    // Right edge, top.
    let seen = decoded(
      [axis(0x39, 7), axis(0x35, 1919), axis(0x36, 0), key(0x14a, 1)],
      [axis(0x36, 1079)],
      [axis(0x39, -1), key(0x14a, 0)])
    #expect(
      seen == [
        Seen("touch0.x", 1), Seen("touch0.y", 1), Seen("touch0.down", 1), Seen("touch0.y", 0),
        Seen("touch0.down", 0),
      ])
  }

  @Test func twoFingersAreTwo() {
    let seen = decoded(
      [
        axis(0x39, 1), axis(0x35, 1919), axis(0x36, 1079), axis(0x2f, 1), axis(0x39, 2),
        axis(0x35, 0), axis(0x36, 0),
      ],
      [axis(0x2f, 0), axis(0x39, -1)])
    #expect(
      seen == [
        Seen("touch0.x", 1), Seen("touch0.down", 1), Seen("touch1.y", 1), Seen("touch1.down", 1),
        Seen("touch0.down", 0),
      ])
  }

  @Test func theSlotThatWasCurrentBeforeIsKept() {
    var axes = TestNodes.dualSenseTouchpadAxes
    axes[0x2f]!.value = 1
    var decoder = TouchpadDecoder(
      node: TestNodes.dualSenseTouchpad, axes: axes, device: 1, number: 4)
    let buffer = EventBuffer(capacity: 16)
    for event in [axis(0x39, 3), axis(0x35, 1919)] { decoder.decode(event, into: buffer) }
    decoder.endFrame(1, into: buffer)
    #expect(
      buffer.take() == [Seen("touch1.x", 1), Seen("touch1.y", 1), Seen("touch1.down", 1)])
  }

  @Test func aFirstTouchAtTheTopLeftHasItsPlaceAlthoughTheKernelSendsNone() {
    // input_mt: a slot's axes begin at 0, and an unchanged value is not sent.
    #expect(
      decoded([axis(0x39, 1)], [axis(0x39, -1)], [axis(0x39, 2)])
        == [
          Seen("touch0.y", 1), Seen("touch0.down", 1), Seen("touch0.down", 0),
          Seen("touch0.down", 1),
        ])
  }

  @Test func theWholePadIsAButtonAndSlotsBeyondTenAreNone() {
    #expect(
      decoded([key(0x110, 1)], [key(0x110, 1)], [key(0x110, 0)])
        == [Seen("touchpad.click", 1), Seen("touchpad.click", 0)])
    #expect(
      decoded([axis(0x2f, 10), axis(0x39, 1), axis(0x35, 9)], [axis(0x2f, -1), axis(0x39, 1)]) == []
    )
  }
}
