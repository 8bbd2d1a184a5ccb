/// A switch or a button: 1 while it is on.
public final class SwitchWidget: Sendable {
  private let channel: ControlChannel

  init(_ channel: ControlChannel, isOn: Bool) {
    self.channel = channel
    channel.begin(with: isOn ? 1 : 0)
  }

  public var isOn: Bool {
    get { channel.value != 0 }
    set { channel.value = newValue ? 1 : 0 }
  }
}

/// A momentary: each touch is 1 for exactly one k-cycle. Touches that follow each other faster are all heard.
public final class MomentaryWidget: Sendable {
  private let channel: ControlChannel

  init(_ channel: ControlChannel) {
    self.channel = channel
    channel.begin(with: 0)
  }

  public func touch() { channel.pulse() }
}
