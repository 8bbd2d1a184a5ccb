import Audio
import Glibc
import Testing

/// If one of these fails, Sonde refuses devices that it could play through, or says what is not so.
///
/// ALSA's own plug-ins stand in for devices: each test runs in a process of its own, with a configuration of its
/// own, since ALSA reads that from the environment.
@Suite struct ALSANegotiationTests {
  @Test func aDeviceOfOneChannelMixesTheOrchestras() async {
    await #expect(processExitsWith: .success) {
      try withALSA(
        "pcm.mono { type multi slaves.a { pcm null channels 1 } bindings.0 { slave a channel 0 } }"
      ) {
        let device = try AudioDevice(.alsa("mono"), AudioRequest(rate: 48000, channels: 2))
        #expect(device.format.deviceChannels == 1 && device.format.channels == 2)
        #expect(
          device.format.playbackNotice("The audio device mono")
            == "The audio device mono has one channel: the orchestra's 2 are mixed into it.")
        device.close()
      }
    }
  }

  /// µ-law takes no floating-point samples on its other side.
  @Test func aDeviceOfIntegersIsTaken() async {
    await #expect(processExitsWith: .success) {
      try withALSA("pcm.ints { type mulaw slave { pcm null format MU_LAW } }") {
        let device = try AudioDevice(.alsa("ints"), AudioRequest(rate: 48000, channels: 2))
        #expect(device.format.deviceChannels == 2 && device.format.rate == 48000)
        device.close()
      }
    }
  }

  @Test func whatCapturesAndWhatPlaysAreNotTakenForOneCard() async {
    await #expect(processExitsWith: .success) {
      try withALSA("") {
        let request = AudioRequest(rate: 48000, channels: 2, inputChannels: 1)
        let device = try AudioDevice(.alsa("null"), request)
        #expect(!device.isDuplex)
        let capture = try IndependentCapture("null", beside: device.format)
        #expect(capture.resamplingNotice(beside: 48000).contains("clock of its own"))
        #expect(
          capture.resamplingNotice(beside: 44100).contains("48000 Hz, and the sound at 44100 Hz"))
        capture.close()
        device.close()
      }
    }
  }

  @Test func aMicrophoneThatIsMissingIsNamedAsOne() async {
    await #expect(processExitsWith: .success) {
      try withALSA("") {
        let format = AudioFormat(
          rate: 48000, channels: 2, deviceChannels: 2, period: 256, periods: 2, inputChannels: 2)
        let error = #expect(throws: AudioError.self) {
          _ = try IndependentCapture("hw:31", beside: format)
        }

        #expect(error?.isMissing == true)
        #expect(error?.description.contains("The capture device hw:31 does not exist") == true)
      }
    }
  }

  @Test func channelsThatAreMissingAreSaid() {
    let format = AudioFormat(
      rate: 48000, channels: 4, deviceChannels: 2, period: 256, periods: 2, inputChannels: 4)
    #expect(
      format.playbackNotice("The audio device x")
        == "The audio device x has 2 channels and the orchestra plays 4: those above 2 are not heard."
    )
    #expect(format.captureNotice("x", channels: 4) == nil)
    #expect(
      format.captureNotice("x", channels: 1)
        == "The capture device x has one channel and the orchestra listens to 4 (nchnls_i): 1 and 2 hear it, the others hear silence."
    )
  }
}

/// Runs `body` with a private configuration of ALSA beside the system's.
private func withALSA(_ configuration: String, _ body: () throws -> Void) throws {
  let path = "/tmp/sonde-alsa-\(getpid()).conf"
  // The angle brackets include a file.
  let text = "</usr/share/alsa/alsa.conf>\n\(configuration)\n"
  let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
  try #require(file >= 0 && write(file, text, text.utf8.count) == text.utf8.count)
  close(file)
  defer { unlink(path) }
  setenv("ALSA_CONFIG_PATH", path, 1)
  try body()
}
