import Synchronization

/// The control channels that a host program knows by name, through all runs of its engine.
final class HostChannels: Sendable {
  private struct Known {
    var channels: [String: ControlChannel] = [:]
    var inOrder: [ControlChannel] = []
  }

  private let known = Mutex(Known())

  /// The channel of that name, and whether it was made by this call.
  func channel(_ name: String) -> (channel: ControlChannel, isNew: Bool) {
    known.withLock { known in
      if let channel = known.channels[name] { return (channel, false) }
      let index = known.inOrder.count % ChannelChunk.size
      let chunk = index == 0 ? ChannelChunk() : known.inOrder[known.inOrder.count - 1].chunk
      let channel = ControlChannel(name, chunk, index)
      known.channels[name] = channel
      known.inOrder.append(channel)
      return (channel, true)
    }
  }

  /// A run begins: all channels that it has to follow.
  func begin() -> [ControlChannel] { known.withLock { $0.inOrder } }

  /// A run ends: Csound's values go.
  func end() {
    known.withLock { known in
      for channel in known.inOrder { channel.chunk.follow(channel.index, nil) }
    }
  }
}
