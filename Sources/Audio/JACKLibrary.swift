import CJACK
import Glibc

/// The functions of libjack, found when they are first wanted: JACK is needed neither to build nor to run.
///
/// The fields are called like the C functions, without `jack_`, in camel case; jackd2's library and PipeWire's have them all.
package struct JACKLibrary: BitwiseCopyable, @unchecked Sendable {
  /// C: `jack_client_t *`, `jack_port_t *`.
  package typealias Client = OpaquePointer
  package typealias Port = OpaquePointer
  package typealias Context = UnsafeMutableRawPointer
  package typealias Names = UnsafeMutablePointer<UnsafePointer<CChar>?>

  package typealias FramesCallback = @convention(c) (UInt32, Context?) -> Int32
  package typealias PlainCallback = @convention(c) (Context?) -> Int32
  package typealias ShutdownCallback = @convention(c) (Context?) -> Void
  package typealias RegistrationCallback =
    @convention(c) (_ port: UInt32, _ isRegistered: Int32, Context?) -> Void
  package typealias MessageCallback = @convention(c) (UnsafePointer<CChar>?) -> Void

  package typealias OfClient = @convention(c) (Client) -> Int32
  package typealias CycleTimes =
    @convention(c) (
      Client, _ currentFrames: UnsafeMutablePointer<UInt32>,
      _ currentMicroseconds: UnsafeMutablePointer<UInt64>,
      _ nextMicroseconds: UnsafeMutablePointer<UInt64>,
      _ period: UnsafeMutablePointer<Float>
    ) -> Int32
  package typealias FramesOfClient = @convention(c) (Client) -> UInt32
  package typealias ConnectionOfPorts =
    @convention(c) (
      Client, UnsafePointer<CChar>, UnsafePointer<CChar>
    ) -> Int32
  package typealias SetFramesCallback = @convention(c) (Client, FramesCallback?, Context?) -> Int32
  package typealias SetMessageCallback = @convention(c) (MessageCallback?) -> Void

  /// C: `enum JackOptions`, `enum JackStatus`, `enum JackPortFlags`, `enum JackLatencyCallbackMode`.
  package static let noStartServer: UInt32 = 0x01
  package static let serverName: UInt32 = 0x04
  package static let serverFailed: UInt32 = 0x10
  package static let serverError: UInt32 = 0x20
  package static let portIsInput: UInt = 0x1
  package static let portIsOutput: UInt = 0x2
  package static let portIsPhysical: UInt = 0x4
  package static let captureLatency: Int32 = 0
  package static let playbackLatency: Int32 = 1
  package static let audioType = "32 bit float mono audio"
  package static let midiType = "8 bit raw midi"

  // Clients.
  private let clientOpen: UnsafeRawPointer
  package let clientClose: OfClient
  package let activate: OfClient
  package let deactivate: OfClient
  /// The bytes of the longest name of a client, with the 0 at its end.
  package let clientNameSize: @convention(c) () -> Int32
  package let getClientName: @convention(c) (Client) -> UnsafePointer<CChar>?
  package let getSampleRate: FramesOfClient
  package let getBufferSize: FramesOfClient
  package let setBufferSize: @convention(c) (Client, UInt32) -> Int32
  package let isRealtime: OfClient
  package let clientRealTimePriority: OfClient
  package let free: @convention(c) (UnsafeMutableRawPointer?) -> Void
  package let setErrorFunction: SetMessageCallback
  package let setInfoFunction: SetMessageCallback

  // Callbacks; before `activate`.
  package let setProcessCallback: SetFramesCallback
  package let setBufferSizeCallback: SetFramesCallback
  package let setSampleRateCallback: SetFramesCallback
  package let setXrunCallback: @convention(c) (Client, PlainCallback?, Context?) -> Int32
  package let setPortRegistrationCallback:
    @convention(c) (Client, RegistrationCallback?, Context?) -> Int32
  package let onShutdown: @convention(c) (Client, ShutdownCallback?, Context?) -> Void

  // Ports.
  package let portRegister:
    @convention(c) (
      Client, UnsafePointer<CChar>, UnsafePointer<CChar>, _ flags: UInt, _ bufferSize: UInt
    ) -> Port?
  package let portUnregister: @convention(c) (Client, Port) -> Int32
  package let portName: @convention(c) (Port) -> UnsafePointer<CChar>?
  package let portByName: @convention(c) (Client, UnsafePointer<CChar>) -> Port?
  /// C: `jack_port_by_id`, with the number that `setPortRegistrationCallback` gives.
  package let portByNumber: @convention(c) (Client, UInt32) -> Port?
  package let portFlags: @convention(c) (Port) -> Int32
  package let portConnected: @convention(c) (Port) -> Int32
  /// Null-terminated, to be given to `free`; null when nothing matches.
  package let getPorts:
    @convention(c) (
      Client, _ namePattern: UnsafePointer<CChar>?, _ typePattern: UnsafePointer<CChar>?,
      _ flags: UInt
    ) -> Names?
  package let portGetAllConnections: @convention(c) (Client, Port) -> Names?
  package let connect: ConnectionOfPorts
  package let disconnect: ConnectionOfPorts
  /// The buffer of this cycle, in the process callback only.
  package let portGetBuffer: @convention(c) (Port, UInt32) -> UnsafeMutableRawPointer?
  private let portGetLatencyRange:
    @convention(c) (Port, _ mode: Int32, UnsafeMutablePointer<UInt32>) -> Void

  // Time: microseconds of a clock of JACK's own, and frames that wrap around.
  package let getTime: @convention(c) () -> UInt64
  package let frameTime: FramesOfClient
  package let lastFrameTime: FramesOfClient
  package let framesToTime: @convention(c) (Client, UInt32) -> UInt64
  package let timeToFrames: @convention(c) (Client, UInt64) -> UInt32
  package let getCycleTimes: CycleTimes
  package let getXrunDelayedUsecs: @convention(c) (Client) -> Float

  // MIDI, in the process callback only.
  package let midiClearBuffer: @convention(c) (_ buffer: UnsafeMutableRawPointer) -> Void
  package let midiEventWrite:
    @convention(c) (
      _ buffer: UnsafeMutableRawPointer, _ frame: UInt32, UnsafePointer<UInt8>, _ count: Int
    ) -> Int32
  package let midiEventReserve:
    @convention(c) (_ buffer: UnsafeMutableRawPointer, _ frame: UInt32, _ count: Int) ->
      UnsafeMutablePointer<UInt8>?

  /// Loads libjack, once more if it was loaded before; it stays in the process.
  ///
  /// - Throws: `AudioError` that says what to install.
  package init() throws(AudioError) {
    guard let handle = dlopen("libjack.so.0", RTLD_NOW | RTLD_LOCAL) else {
      throw AudioError(
        "JACK is not installed (there is no libjack.so.0); install jackd2 or pipewire-jack, or play with --audio alsa.",
        isMissing: true)
    }
    let symbols = Symbols(handle: handle)
    clientOpen = UnsafeRawPointer(try symbols.address("client_open"))
    clientClose = try symbols.function("client_close")
    activate = try symbols.function("activate")
    deactivate = try symbols.function("deactivate")
    clientNameSize = try symbols.function("client_name_size")
    getClientName = try symbols.function("get_client_name")
    getSampleRate = try symbols.function("get_sample_rate")
    getBufferSize = try symbols.function("get_buffer_size")
    setBufferSize = try symbols.function("set_buffer_size")
    isRealtime = try symbols.function("is_realtime")
    clientRealTimePriority = try symbols.function("client_real_time_priority")
    free = try symbols.function("free")
    setErrorFunction = try symbols.function("set_error_function")
    setInfoFunction = try symbols.function("set_info_function")
    setProcessCallback = try symbols.function("set_process_callback")
    setBufferSizeCallback = try symbols.function("set_buffer_size_callback")
    setSampleRateCallback = try symbols.function("set_sample_rate_callback")
    setXrunCallback = try symbols.function("set_xrun_callback")
    setPortRegistrationCallback = try symbols.function("set_port_registration_callback")
    onShutdown = try symbols.function("on_shutdown")
    portRegister = try symbols.function("port_register")
    portUnregister = try symbols.function("port_unregister")
    portName = try symbols.function("port_name")
    portByName = try symbols.function("port_by_name")
    portByNumber = try symbols.function("port_by_id")
    portFlags = try symbols.function("port_flags")
    portConnected = try symbols.function("port_connected")
    getPorts = try symbols.function("get_ports")
    portGetAllConnections = try symbols.function("port_get_all_connections")
    connect = try symbols.function("connect")
    disconnect = try symbols.function("disconnect")
    portGetBuffer = try symbols.function("port_get_buffer")
    portGetLatencyRange = try symbols.function("port_get_latency_range")
    getTime = try symbols.function("get_time")
    frameTime = try symbols.function("frame_time")
    lastFrameTime = try symbols.function("last_frame_time")
    framesToTime = try symbols.function("frames_to_time")
    timeToFrames = try symbols.function("time_to_frames")
    getCycleTimes = try symbols.function("get_cycle_times")
    getXrunDelayedUsecs = try symbols.function("get_xrun_delayed_usecs")
    midiClearBuffer = try symbols.function("midi_clear_buffer")
    midiEventWrite = try symbols.function("midi_event_write")
    midiEventReserve = try symbols.function("midi_event_reserve")
  }

  private struct Symbols {
    let handle: UnsafeMutableRawPointer

    func address(_ name: String) throws(AudioError) -> UnsafeMutableRawPointer {
      guard let address = dlsym(handle, "jack_" + name) else {
        throw AudioError(
          "The JACK library of this system lacks jack_\(name); install jackd2 or pipewire-jack, or play with --audio alsa."
        )
      }
      return address
    }

    func function<Function>(_ name: String) throws(AudioError) -> Function {
      unsafeBitCast(try address(name), to: Function.self)
    }
  }

  /// Registers with a server that runs already; none is ever started (C: `jack_client_open`).
  ///
  /// - Parameters:
  ///   - name: taken with a number behind it where another client has it already: see `get_client_name`.
  ///   - server: nil asks for the default one (`JACK_DEFAULT_SERVER`, else `default`).
  /// - Returns: the client, or nil and the bits of `enum JackStatus`.
  package func openClient(_ name: String, server: String? = nil) -> (Client?, status: UInt32) {
    let options = JACKLibrary.noStartServer | (server == nil ? 0 : JACKLibrary.serverName)
    var status: UInt32 = 0
    let client = name.withCString { name in
      guard let server else {
        return sonde_open_jack_client(clientOpen, name, options, &status, nil)
      }
      return server.withCString {
        sonde_open_jack_client(clientOpen, name, options, &status, $0)
      }
    }
    return (client.map { OpaquePointer($0) }, status)
  }

  /// Stops libjack from printing to standard error; what matters comes back as results.
  package func silence() {
    setErrorFunction(ignoreMessage)
    setInfoFunction(ignoreMessage)
  }

  /// The frames between a port and the hardware, over all paths (C: `jack_latency_range_t`).
  ///
  /// - Parameter mode: `captureLatency` or `playbackLatency`.
  package func latencyRange(of port: Port, mode: Int32) -> (least: Int, most: Int) {
    var range: (UInt32, UInt32) = (0, 0)
    withUnsafeMutablePointer(to: &range) {
      $0.withMemoryRebound(to: UInt32.self, capacity: 2) { portGetLatencyRange(port, mode, $0) }
    }
    return (Int(range.0), Int(range.1))
  }

  /// Names of ports, in the server's order, that match regular expressions and have all the flags.
  package func ports(
    of client: Client, named pattern: String? = nil, type: String = JACKLibrary.audioType,
    flags: UInt
  ) -> [String] {
    let names = type.withCString { type in
      guard let pattern else { return getPorts(client, nil, type, flags) }
      return pattern.withCString { getPorts(client, $0, type, flags) }
    }
    return take(names)
  }

  /// Names of the ports that one of the client's ports is connected to.
  package func connections(of port: Port, _ client: Client) -> [String] {
    take(portGetAllConnections(client, port))
  }

  private func take(_ names: Names?) -> [String] {
    guard let names else { return [] }
    defer { free(names) }
    var result: [String] = []
    var index = 0
    while let name = names[index] {
      result.append(String(cString: name))
      index += 1
    }
    return result
  }
}

private func ignoreMessage(_ message: UnsafePointer<CChar>?) {}
