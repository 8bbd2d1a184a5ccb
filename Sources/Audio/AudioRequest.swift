/// How sound leaves the machine.
public enum AudioOutput: Sendable, Equatable {
  /// What the CSD asks for (`-odac:NAME`, `-+rtaudio=null`, `-n`), else ALSA's `default`.
  case automatic
  /// An ALSA device by name (`default`, `hw:1,0`), whatever module the CSD names; nil takes the CSD's device,
  /// or `default`.
  case alsa(device: String?)
  /// JACK, whatever module the CSD names, on the ports that `-odac:PORTS` says; nil is the default server.
  case jack(server: String?)
  /// No device: time runs on the system clock, and the sound goes nowhere (`--audio none`).
  case none
}

/// When an event sounds.
public enum Timing: Sendable, Equatable {
  /// Always the same time after it happened, whatever the buffer size.
  case steady
  /// In the first k-cycle that is computed after it arrived.
  case asap
}

/// What is wanted of an audio device; what it grants is an `AudioFormat`.
public struct AudioRequest: Sendable, Equatable {
  /// Frames per second.
  public var rate: Int
  /// Interleaved channels of the blocks that are written; the device may have other numbers of them.
  public var channels: Int
  /// Frames per period, or nil for 256.
  public var period: Int?
  /// Periods in the buffer, or nil for 2.
  public var periods: Int?
  /// Interleaved channels of the blocks that are read; 0 captures nothing.
  public var inputChannels: Int
  /// What captures, in the words of the device's system (a PCM device, a pattern for ports); nil is the device
  /// that plays.
  public var inputDevice: String?

  public init(
    rate: Int, channels: Int, period: Int? = nil, periods: Int? = nil, inputChannels: Int = 0,
    inputDevice: String? = nil
  ) {
    self.rate = rate
    self.channels = channels
    self.period = period
    self.periods = periods
    self.inputChannels = inputChannels
    self.inputDevice = inputDevice
  }
}

/// What an audio device granted.
public struct AudioFormat: Sendable, Equatable, BitwiseCopyable {
  public var rate: Int
  /// Channels of the blocks that are written.
  public var channels: Int
  /// Channels of the device.
  public var deviceChannels: Int
  public var period: Int
  public var periods: Int
  /// Channels of the blocks that are read: those of the request, whatever the device has.
  public var inputChannels: Int

  public init(
    rate: Int, channels: Int, deviceChannels: Int, period: Int, periods: Int,
    inputChannels: Int = 0
  ) {
    self.rate = rate
    self.channels = channels
    self.deviceChannels = deviceChannels
    self.period = period
    self.periods = periods
    self.inputChannels = inputChannels
  }

  /// The frames of the whole buffer.
  public var buffer: Int { @_noLocks get { period &* periods } }
}
