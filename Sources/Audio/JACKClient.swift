import LinuxIO
import Synchronization

/// A client of a JACK server with its ports, opened, connected and running.
///
/// Opening and closing talk to the server and wait for ever where it has stopped: both are done on
/// threads of their own.
final class JACKClient: @unchecked Sendable {
  /// The name that the server gave.
  let name: String
  let rate: Int
  let period: Int
  /// The priority of JACK's own thread, or nil where the server does not run in real time.
  let priority: Int32?
  /// What the user should know of the first connections.
  let notices: [String]
  let connections: JACKConnections
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
    try JACKClient.check(address, library)
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
      if period > JACKExchange.longestPeriod {
        throw AudioError(
          "The JACK server has a period of \(period) frames, and Sonde plays \(JACKExchange.longestPeriod) at the most; set a shorter one there (jackd -p 1024, qjackctl)."
        )
      }
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
        JACKCalls(library, handle, rate: rate), rate: rate, period: period, outputs: outputs,
        inputs: inputs))
    connections = JACKConnections(
      library, handle, name: name, outputs: outputs, to: address.ports, inputs: inputs,
      to: JACKPorts(words: request.inputDevice))
    _ = library.setProcessCallback(handle, jackProcess, exchange)
    _ = library.setXrunCallback(handle, jackXrun, exchange)
    library.onShutdown(handle, jackShutdown, exchange)
    _ = library.setPortRegistrationCallback(
      handle, jackRegistration, Unmanaged.passRetained(connections).toOpaque())
    if library.activate(handle) != 0 {
      notices = []
      close()
      throw AudioError(
        "The JACK server does not let Sonde take part; look at its messages, or play with --audio alsa."
      )
    }
    notices = connections.begin()
    awaitLatency()
  }

  deinit {
    // Left to the system when it was not closed: JACK's thread may still be there.
    if isClosed.withLock({ $0 }) {
      exchange.deinitialize(count: 1)
      exchange.deallocate()
      Unmanaged.passUnretained(connections).release()
    }
  }

  // What the library itself either does not tell or waits for for ever.
  private static func check(_ address: JACKAddress, _ library: JACKLibrary) throws(AudioError) {
    // One less than it says, besides the 0: jackd2 counts differently when it opens.
    let longest = Int(library.clientNameSize()) - 2
    if address.client.utf8.count > longest {
      throw AudioError(
        "The name of the JACK client is too long: \(address.client.utf8.count) bytes, and JACK takes \(longest); shorten it (-+jack_client=sonde)."
      )
    }
    let limit = Int(clamping: ProcessLimits.openFiles)
    if limit - ProcessCounts.openDescriptors < neededFiles {
      throw AudioError(
        "JACK needs \(neededFiles) more open files than there are, and this login allows \(limit); raise the limit (ulimit -n 1024)."
      )
    }
  }

  // jackd2's sockets, semaphores and databases are ten; without room for them it waits, and so does its server.
  private static let neededFiles = 12

  private static func openingError(_ address: JACKAddress, _ status: UInt32) -> AudioError {
    let server = address.server.map { "JACK server \($0)" } ?? "JACK server"
    if status & (JACKLibrary.serverFailed | JACKLibrary.serverError) != 0 {
      let usual = environmentVariable("JACK_DEFAULT_SERVER").flatMap { $0.isEmpty ? nil : $0 }
      if address.server == nil, let usual, usual != "default" {
        return AudioError(
          "There is no JACK server \(usual), which the variable JACK_DEFAULT_SERVER names; unset that for the usual server, start this one (jackd -n \(usual) -d alsa), or play with --audio alsa.",
          isMissing: true)
      }
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

  /// The frames between the sound and the ports that capture, of the longest path; 0 where nothing is connected.
  var captureLatency: Int {
    isClosed.withLock { isClosed in
      if isClosed { return 0 }
      return inputs.map { library.latencyRange(of: $0, mode: JACKLibrary.captureLatency).most }
        .max() ?? 0
    }
  }

  /// Leaves the server; may wait for ever where it has stopped. A second call does nothing.
  func close() {
    connections.end()
    let wasClosed = isClosed.withLock { isClosed in
      defer { isClosed = true }
      return isClosed
    }
    if !wasClosed { _ = library.clientClose(handle) }
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

private func jackRegistration(
  _ port: UInt32, _ isRegistered: Int32, _ context: UnsafeMutableRawPointer?
) {
  if isRegistered == 0 { return }
  guard let context else { return }
  Unmanaged<JACKConnections>.fromOpaque(context).takeUnretainedValue().note(port)
}
