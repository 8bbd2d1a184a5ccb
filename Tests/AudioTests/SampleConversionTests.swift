import Audio
import Testing

/// If one of these fails, sound is distorted, comes from one side only, or wraps around at full scale.
@Suite struct SampleConversionTests {
  private func convert<Sample>(
    _ block: [Double], _ conversion: SampleConversion, as type: Sample.Type
  ) -> [Sample] {
    let frames = block.count / conversion.channels
    let count = frames * conversion.deviceChannels
    let device = UnsafeMutableRawPointer.allocate(byteCount: count * 4, alignment: 16)
    defer { device.deallocate() }
    conversion.convert(block, frames: frames, to: device)
    return (0..<count).map {
      device.load(fromByteOffset: $0 * MemoryLayout<Sample>.size, as: Sample.self)
    }
  }

  private func mono(_ format: SampleFormat) -> SampleConversion {
    SampleConversion(format: format, channels: 1, deviceChannels: 1)
  }

  private let block = [0, 1, -1, 0.5, 2, -7, Double.nan, .infinity, -.infinity, 1e-300]

  @Test func sixteenBitsRoundAndClip() {
    #expect(
      convert(block, mono(.int16), as: Int16.self) == [
        0, 32767, -32767, 16384, 32767, -32767, 0, 32767, -32767, 0,
      ])
  }

  @Test func thirtyTwoBitsRoundAndClip() {
    #expect(
      convert(block, mono(.int32), as: Int32.self) == [
        0, .max, -.max, 1_073_741_824, .max, -.max, 0, .max, -.max, 0,
      ])
  }

  @Test func floatsClip() {
    #expect(
      convert(block, mono(.float32), as: Float.self) == [0, 1, -1, 0.5, 1, -1, 0, 1, -1, 0])
  }

  @Test func monoPlaysOnBothSides() {
    let conversion = SampleConversion(format: .float32, channels: 1, deviceChannels: 4)
    #expect(
      convert([0.5, -0.25], conversion, as: Float.self) == [0.5, 0.5, 0, 0, -0.25, -0.25, 0, 0])
  }

  @Test func stereoOnAMonoDeviceIsAveraged() {
    let conversion = SampleConversion(format: .float32, channels: 2, deviceChannels: 1)
    #expect(convert([0.5, 0.25, 1, -1], conversion, as: Float.self) == [0.375, 0])
  }

  @Test func otherNumbersKeepWhatBothHave() {
    let wide = SampleConversion(format: .float32, channels: 2, deviceChannels: 3)
    #expect(convert([0.5, 0.25], wide, as: Float.self) == [0.5, 0.25, 0])
    let narrow = SampleConversion(format: .float32, channels: 4, deviceChannels: 2)
    #expect(convert([0.5, 0.25, 0.125, 1], narrow, as: Float.self) == [0.5, 0.25])
  }
}
