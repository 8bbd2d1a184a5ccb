/// Turns what a device captured into blocks for Csound: sample format and number of channels.
///
/// A device of one channel is heard on the first two of the block; otherwise channels that the device lacks are
/// silent and channels that the block lacks are dropped.
public struct CaptureConversion: Sendable, BitwiseCopyable {
  public var format: SampleFormat
  public var deviceChannels: Int
  public var channels: Int

  public init(format: SampleFormat, deviceChannels: Int, channels: Int) {
    self.format = format
    self.deviceChannels = deviceChannels
    self.channels = channels
  }

  /// Converts `frames` frames to ±1 full scale; what is no number becomes silence.
  ///
  /// `block` has room for `frames` · `channels`.
  @_noLocks
  public func convert(
    _ device: UnsafeRawPointer, frames: Int, to block: UnsafeMutablePointer<Double>
  ) {
    var index = 0
    for frame in 0..<frames {
      let first = frame &* deviceChannels
      for channel in 0..<channels {
        let source = CaptureConversion.source(of: channel, among: deviceChannels)
        block[index] = source < 0 ? 0 : load(device, first &+ source)
        index &+= 1
      }
    }
  }

  /// The device's channel that `channel` of a block hears, or −1.
  @_noLocks
  static func source(of channel: Int, among deviceChannels: Int) -> Int {
    if channel < deviceChannels { return channel }
    if deviceChannels != 1 { return -1 }
    return channel == 1 ? 0 : -1
  }

  @_noLocks
  private func load(_ device: UnsafeRawPointer, _ index: Int) -> Double {
    switch format {
    case .float32:
      let value = Double(device.load(fromByteOffset: index &* 4, as: Float.self))
      return value - value == 0 ? value : 0
    case .int32:
      return Double(device.load(fromByteOffset: index &* 4, as: Int32.self)) / 2_147_483_648
    case .int16: return Double(device.load(fromByteOffset: index &* 2, as: Int16.self)) / 32768
    }
  }
}
