/// How a device wants its samples.
public enum SampleFormat: Sendable, BitwiseCopyable, CaseIterable {
  case float32, int32, int16

  public var bytes: Int { @_noLocks get { self == .int16 ? 2 : 4 } }
}

/// Turns Csound's blocks into a device's: sample format, clipping, and number of channels.
///
/// One channel goes to the first two of the device; many onto a mono device are averaged; otherwise channels
/// that the device lacks are dropped and channels that the block lacks are silent.
public struct SampleConversion: Sendable, BitwiseCopyable {
  public var format: SampleFormat
  public var channels: Int
  public var deviceChannels: Int

  public init(format: SampleFormat, channels: Int, deviceChannels: Int) {
    self.format = format
    self.channels = channels
    self.deviceChannels = deviceChannels
  }

  /// Converts `frames` frames; ±1 is full scale, what is beyond it is clipped, NaN is silence.
  ///
  /// `device` has room for `frames` · `deviceChannels` · `format.bytes`.
  @_noLocks
  public func convert(
    _ block: UnsafePointer<Double>, frames: Int, to device: UnsafeMutableRawPointer
  ) {
    var index = 0
    for frame in 0..<frames {
      let source = block + frame &* channels
      for channel in 0..<deviceChannels {
        store(sample(source, channel), device, index)
        index &+= 1
      }
    }
  }

  @_noLocks
  private func sample(_ frame: UnsafePointer<Double>, _ channel: Int) -> Double {
    if channels == 1 { return channel < 2 ? frame[0] : 0 }
    if deviceChannels == 1 {
      var sum = 0.0
      for each in 0..<channels { sum += frame[each] }
      return sum / Double(channels)
    }
    return channel < channels ? frame[channel] : 0
  }

  @_noLocks
  private func store(_ value: Double, _ device: UnsafeMutableRawPointer, _ index: Int) {
    // A comparison with NaN is false, so NaN ends as 0.
    var clipped = 0.0
    if value >= 1 {
      clipped = 1
    } else if value >= -1 {
      clipped = value
    } else if value < -1 {
      clipped = -1
    }
    let half = clipped < 0 ? -0.5 : 0.5
    switch format {
    case .float32:
      device.storeBytes(of: Float(clipped), toByteOffset: index &* 4, as: Float.self)
    case .int32:
      let scaled = Int32(clipped * 2_147_483_647 + half)
      device.storeBytes(of: scaled, toByteOffset: index &* 4, as: Int32.self)
    case .int16:
      let scaled = Int16(clipped * 32767 + half)
      device.storeBytes(of: scaled, toByteOffset: index &* 2, as: Int16.self)
    }
  }
}
