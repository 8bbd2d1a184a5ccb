import Audio
import Testing

/// If one of these fails, a device that came back is not played again, or begins with what was not played.
///
/// ALSA's own `null` stands in for a device: it moves as soon as it is started. Cards that stand are in the lab.
@Suite struct ALSATrialTests {
  @Test func aDeviceThatMovesIsTakenAsItWasOpened() throws {
    let device = try AudioDevice.reopen(.alsa("null"), AudioRequest(rate: 48000, channels: 2))
    let backend = device.backend
    #expect(backend.written == 0)
    #expect(backend.wait() == .frames(device.format.period))
    device.close()
  }

  @Test func aCaptureDeviceThatMovesIsTaken() throws {
    let format = AudioFormat(
      rate: 48000, channels: 2, deviceChannels: 2, period: 256, periods: 2, inputChannels: 2)
    let capture = try IndependentCapture.reopen("null", beside: format)
    #expect(capture.format.rate == 48000)
    capture.close()
  }
}
