import LinuxIO
import Synchronization

/// A client of a JACK server with its ports, opened, connected and running.
///
/// Opening and closing talk to the server and wait for ever where it has stopped: `JACKOutput` does both on
/// another thread.
final class JACKClient: @unchecked Sendable {
  /// The name that the server gave.
  let name: String
  let rate: Int
  let period: Int
  /// The priority of JACK's own thread, or nil where the server does not run in real time.
  let priority: Int32?
  /// What the user should know of the connections.
  private(set) var notices: [String] = []
  let exchange: UnsafeMutablePointer<JACKExchange>
  private let library: JACKLibrary
  private let handle: JACKLibrary.Client
  private let outputs: [JACKLibrary.Port]
  private let inputs: [JACKLibrary.Port]
  private let isClosed = Mutex(false)

  /// Registers, connects and starts; silence plays until PERFORM attaches.
  ///
  /// - Throws: `AudioError` that says what to do.
  init(_ address: JACKAddress, _ request: AudioRequest) throws(AudioError) {
    let library = try JACKLibrary()
    library.silence()
    let (opened, status) = library.openClient(address.client, server: address.server)
    guard let handle = opened else { throw JACKClient.openingError(address, status) }
    self.library = library
    self.handle = handle
    name = library.getClientName(handle).map { String(cString: $0) } ?? address.client
    rate = Int(library.getSampleRate(handle))
    period = Int(library.getBufferSize(handle))
    let given = library.clientRealTimePriority(handle)
    priority = library.isRealtime(handle) != 0 && given > 0 ? given : nil
    do throws(AudioError) {
      outputs = try JACKClient.register(
        "out", request.channels, JACKLibrary.portIsOutput, library, handle)
      inputs = try JACKClient.register(
        "in", request.inputChannels, JACKLibrary.portIsInput, library, handle)
    } catch {
      _ = library.clientClose(handle)
      throw error
    }
    exchange = .allocate(capacity: 1)
    exchange.initialize(
      to: JACKExchange(
        JACKCalls(library, handle, rate: rate), rate: rate,
        period: min(period, JACKExchange.longestPeriod), outputs: outputs, inputs: inputs))
    _ = library.setProcessCallback(handle, jackProcess, exchange)
    _ = library.setXrunCallback(handle, jackXrun, exchange)
    library.onShutdown(handle, jackShutdown, exchange)
    if library.activate(handle) != 0 {
      close()
      throw AudioError(
        "The JACK server does not let Sonde take part; look at its messages, or play with --audio alsa."
      )
    }
    connect(outputs, to: address.ports, isCapture: false)
    connect(inputs, to: JACKPorts(words: request.inputDevice), isCapture: true)
    awaitLatency()
  }

  deinit {
    // Left to the system when it was not closed: JACK's thread may still be there.
    if isClosed.withLock({ $0 }) {
      exchange.deinitialize(count: 1)
      exchange.deallocate()
    }
  }

  private static func openingError(_ address: JACKAddress, _ status: UInt32) -> AudioError {
    let server = address.server.map { "JACK server \($0)" } ?? "JACK server"
    if status & (JACKLibrary.serverFailed | JACKLibrary.serverError) != 0 {
      return AudioError(
        "There is no \(server); start one (qjackctl, jackd -d alsa), use PipeWire's (pw-jack sonde …), or play with --audio alsa.",
        isMissing: true)
    }
    return AudioError(
      "The \(server) refuses the client \(address.client) (status 0x\(String(status, radix: 16))); look at its messages, or play with --audio alsa."
    )
  }

  private static func register(
    _ stem: String, _ count: Int, _ flags: UInt, _ library: JACKLibrary,
    _ client: JACKLibrary.Client
  ) throws(AudioError) -> [JACKLibrary.Port] {
    var ports: [JACKLibrary.Port] = []
    for number in 0..<count {
      guard
        let port = library.portRegister(
          client, "\(stem)_\(number + 1)", JACKLibrary.audioType, flags, 0)
      else {
        throw AudioError(
          "The JACK server gives only \(number) ports of \(count); lower nchnls, or start the server with more (jackd --port-max)."
        )
      }
      ports.append(port)
    }
    return ports
  }

  private func connect(_ own: [JACKLibrary.Port], to wanted: JACKPorts, isCapture: Bool) {
    if own.isEmpty { return }
    // What is an input here is an output there.
    let flags = isCapture ? JACKLibrary.portIsOutput : JACKLibrary.portIsInput
    var others: [String]
    switch wanted {
    case .none: return
    case .physical: others = library.ports(of: handle, flags: flags | JACKLibrary.portIsPhysical)
    case .matching(let pattern): others = library.ports(of: handle, named: pattern, flags: flags)
    case .group: others = wanted.group(of: library.ports(of: handle, flags: flags))
    }
    others.removeAll { $0.hasPrefix(name + ":") }
    if others.isEmpty {
      let all = library.ports(of: handle, flags: flags).filter { !$0.hasPrefix(name + ":") }
      notices.append(wanted.missingSentence(isCapture: isCapture, all: all, client: name))
      return
    }
    // One channel goes to two ears, as on a sound card.
    let single = own.count == 1 && !isCapture ? min(others.count, 2) : 0
    for index in 0..<max(min(own.count, others.count), single) {
      guard let mine = library.portName(own[min(index, own.count - 1)]) else { continue }
      let result =
        isCapture
        ? library.connect(handle, others[index], mine)
        : library.connect(handle, mine, others[index])
      if result != 0 {
        notices.append(
          "JACK does not connect \(String(cString: mine)) with \(others[index]); connect it by hand (qjackctl)."
        )
      }
    }
  }

  // The server works the latency of new connections out a moment later; a run had better begin with it.
  private func awaitLatency() {
    let isConnected = outputs.contains { library.portConnected($0) > 0 }
    let deadline = monotonicNow() + 100_000_000
    while isConnected && playbackLatency == 0 && monotonicNow() < deadline {
      sleepUntil(monotonicNow() + 2_000_000)
    }
  }

  /// The frames between the ports and the sound, of the longest path; 0 where nothing is connected.
  var playbackLatency: Int {
    isClosed.withLock { isClosed in
      if isClosed { return 0 }
      return outputs.map { library.latencyRange(of: $0, mode: JACKLibrary.playbackLatency).most }
        .max() ?? 0
    }
  }

  /// Leaves the server; may wait for ever where it has stopped. A second call does nothing.
  func close() {
    let wasClosed = isClosed.withLock { isClosed in
      defer { isClosed = true }
      return isClosed
    }
    if !wasClosed { _ = library.clientClose(handle) }
  }
}

extension JACKPorts {
  fileprivate func missingSentence(isCapture: Bool, all: [String], client: String) -> String {
    let own = isCapture ? "\(client):in_1…" : "\(client):out_1…"
    let option = isCapture ? "-iadc" : "-odac"
    let list = all.isEmpty ? "JACK has none" : "there are \(all.joined(separator: ", "))"
    let kind = isCapture ? "ports that capture" : "ports that play"
    switch self {
    case .physical, .none:
      return "JACK has no \(kind) of a sound card; \(own) are not connected (\(list))."
    case .matching(let pattern):
      return "No \(kind) match \(option):\(pattern); \(own) are not connected (\(list))."
    case .group(let number):
      return
        "There is no group \(number) of \(kind) (\(option)\(number)); \(own) are not connected (\(list))."
    }
  }
}

@_noLocks
private func jackProcess(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32 {
  guard let context else { return 0 }
  JACKExchange.run(context.assumingMemoryBound(to: JACKExchange.self), frames: Int(frames))
  return 0
}

private func jackXrun(_ context: UnsafeMutableRawPointer?) -> Int32 {
  guard let exchange = context?.assumingMemoryBound(to: JACKExchange.self) else { return 0 }
  exchange.pointee.xrunLength.store(exchange.pointee.calls.xrunLength, ordering: .relaxed)
  exchange.pointee.xruns.wrappingAdd(1, ordering: .relaxed)
  return 0
}

private func jackShutdown(_ context: UnsafeMutableRawPointer?) {
  guard let exchange = context?.assumingMemoryBound(to: JACKExchange.self) else { return }
  exchange.pointee.isShutDown.store(true, ordering: .releasing)
  exchange.pointee.go.signal()
}
