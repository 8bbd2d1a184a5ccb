import Events
import Testing

/// If these fail, INPUT maps events that no device sent, or loses some.
struct EventBufferTests {
  private func press(_ time: Nanoseconds) -> ControlEvent {
    ControlEvent(.value, time: time, device: 3, control: .south, value: 1)
  }

  @Test func whatWasAddedIsReadInItsOrder() {
    let buffer = EventBuffer(capacity: 4)
    for time in [Nanoseconds](1...3) { #expect(buffer.append(press(time))) }
    #expect(buffer.count == 3)
    #expect(buffer.room == 1)
    #expect(Array(buffer.events) == [press(1), press(2), press(3)])
    #expect(buffer.event(at: 1) == press(2))
  }

  @Test func aFullBufferRefusesAndKeepsWhatItHas() {
    let buffer = EventBuffer(capacity: 2)
    #expect(buffer.append(press(1)))
    #expect(buffer.append(press(2)))
    #expect(!buffer.append(press(3)))
    #expect(Array(buffer.events) == [press(1), press(2)])
  }

  @Test func anEmptiedBufferHasRoomAgainAndNothingOld() {
    let buffer = EventBuffer(capacity: 2)
    buffer.append(press(1))
    buffer.removeAll()
    #expect(buffer.events.isEmpty)
    buffer.append(press(2))
    #expect(Array(buffer.events) == [press(2)])
  }
}
