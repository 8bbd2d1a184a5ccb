import Audio
import Testing

/// If one of these fails, a microphone is heard too loud, distorted, or on the wrong channel.
@Suite struct CaptureConversionTests {
  private func converted<Sample>(
    _ samples: [Sample], _ format: SampleFormat, deviceChannels: Int, channels: Int
  ) -> [Double] {
    let frames = samples.count / deviceChannels
    var block = [Double](repeating: .nan, count: frames * channels)
    samples.withUnsafeBytes { bytes in
      block.withUnsafeMutableBufferPointer { block in
        CaptureConversion(format: format, deviceChannels: deviceChannels, channels: channels)
          .convert(bytes.baseAddress!, frames: frames, to: block.baseAddress!)
      }
    }
    return block
  }

  /// Full scale of ALSA's formats: −2ⁿ⁻¹ … 2ⁿ⁻¹ − 1 for integers, ±1 for floating point.
  @Test func fullScaleIsOne() {
    let shorts: [Int16] = [0, -32768, 32767, 16384]
    #expect(
      converted(shorts, .int16, deviceChannels: 1, channels: 1) == [0, -1, 32767.0 / 32768, 0.5])
    let longs: [Int32] = [0, .min, 1 << 30]
    #expect(converted(longs, .int32, deviceChannels: 1, channels: 1) == [0, -1, 0.5])
    let floats: [Float] = [0, -1, 0.25, 1.5]
    #expect(converted(floats, .float32, deviceChannels: 1, channels: 1) == [0, -1, 0.25, 1.5])
  }

  /// One NaN in a feedback delay would silence an instrument for good.
  @Test func whatIsNoNumberIsSilence() {
    let floats: [Float] = [.nan, .infinity, -.infinity, 0.5]
    #expect(converted(floats, .float32, deviceChannels: 1, channels: 1) == [0, 0, 0, 0.5])
  }

  @Test func oneMicrophoneIsHeardOnBothSides() {
    let samples: [Int16] = [16384, -16384]
    #expect(
      converted(samples, .int16, deviceChannels: 1, channels: 2) == [0.5, 0.5, -0.5, -0.5])
    #expect(converted(samples, .int16, deviceChannels: 1, channels: 3)[2] == 0)
  }

  @Test func channelsKeepTheirPlaces() {
    let samples: [Int16] = [16384, -16384, 8192, 0]
    #expect(converted(samples, .int16, deviceChannels: 2, channels: 1) == [0.5, 0.25])
    #expect(
      converted(samples, .int16, deviceChannels: 2, channels: 3) == [0.5, -0.5, 0, 0.25, 0, 0])
    #expect(converted(samples, .int16, deviceChannels: 4, channels: 2) == [0.5, -0.5])
  }

  /// What is played and captured again must come back as it was, within a step of the device's format.
  @Test(arguments: SampleFormat.allCases)
  func theWayOutAndBackChangesNothing(format: SampleFormat) {
    let block: [Double] = [0, 0.5, -0.5, 1, -1, 0.123456]
    var bytes = [UInt64](repeating: 0, count: block.count)
    bytes.withUnsafeMutableBytes { raw in
      block.withUnsafeBufferPointer {
        SampleConversion(format: format, channels: 2, deviceChannels: 2)
          .convert($0.baseAddress!, frames: 3, to: raw.baseAddress!)
      }
    }
    var back = [Double](repeating: .nan, count: block.count)
    bytes.withUnsafeBytes { raw in
      back.withUnsafeMutableBufferPointer {
        CaptureConversion(format: format, deviceChannels: 2, channels: 2)
          .convert(raw.baseAddress!, frames: 3, to: $0.baseAddress!)
      }
    }
    for (sent, heard) in zip(block, back) { #expect(abs(sent - heard) <= 2.0 / 32768) }
  }
}
