import CCsound
import LinuxIO

/// One Csound instance, from creation to its start; the engine's thread alone.
///
/// The order of calls avoids what ends the process in libcsound64 6.18: nothing runs on an instance that failed,
/// instances are never reset, and text that Csound cannot take is found by `checkCSD` first.
final class CsoundInstance {
  let calls: CsoundCalls
  let host: CsoundHost
  private let file: CSDFile
  private let log: MessageLog
  private var isDestroyed = false

  var instance: OpaquePointer { calls.instance }
  /// Frames per second, per k-cycle, and channels of the block; known after `init`.
  private(set) var rate = 0
  private(set) var ksmps = 0
  private(set) var channels = 0
  /// Channels of the input (nchnls_i), which the orchestra may leave unused.
  private(set) var inputChannels = 0
  /// What 0 dB is in the orchestra.
  private(set) var fullScale = 1.0
  /// Whether notes start within a k-cycle (`--sample-accurate`).
  private(set) var isSampleAccurate = false

  private static let library: Bool = {
    // Neither signal handlers nor atexit of its own.
    csoundInitialize(Int32(CSOUNDINIT_NO_SIGNAL_HANDLER | CSOUNDINIT_NO_ATEXIT))
    csoundSetDefaultMessageCallback(csoundMessageCallback)
    // The user's ~/.csound6rc would make one CSD sound different on two machines.
    csoundSetGlobalEnv("CSOUND6RC", "/dev/null")
    return csoundGetSizeOfMYFLT() == 8
  }()

  /// Creates an instance and compiles the CSD.
  ///
  /// - Parameter overrides: more options, after all others.
  /// - Throws: `EngineError` with Csound's own lines; nothing is left behind.
  init(_ file: CSDFile, _ options: CsoundOptions, overrides: [String] = [], log: MessageLog)
    throws(EngineError)
  {
    guard CsoundInstance.library else {
      throw EngineError(
        .system, "The installed libcsound64 has samples of 32 bits; install one with 64.")
    }
    self.file = file
    self.log = log
    host = CsoundHost(messages: log.ring)
    try CsoundInstance.check(file, options, log: log, host: host)
    guard let created = csoundCreate(Unmanaged.passUnretained(host).toOpaque()) else {
      throw EngineError(.system, "Csound cannot be created: there is no memory.")
    }
    calls = CsoundCalls(instance: created)
    log.collect()
    csoundSetMessageCallback(created, csoundMessageCallback)
    do throws(EngineError) {
      try compile(options.glued + overrides)
    } catch {
      destroy()
      throw error
    }
  }

  deinit { destroy() }

  /// Ends the instance; its channels are gone. A second call does nothing.
  func destroy() {
    if isDestroyed { return }
    isDestroyed = true
    csoundDestroy(instance)
  }

  private static func environment(_ file: CSDFile) -> [String] {
    ["INCDIR", "SSDIR", "SADIR", "MFDIR"].map { "--env:\($0)+=\(file.folder)" }
  }

  // `csoundCompileArgs` is the one call in which Csound survives its own fatal errors in options and score: they
  // jump to where it began. So it tries everything first, on an instance that is thrown away.
  private static func check(
    _ file: CSDFile, _ options: CsoundOptions, log: MessageLog, host: CsoundHost
  ) throws(EngineError) {
    var path = file.path ?? ""
    var temporary: String?
    if file.path == nil || !path.lowercased().hasSuffix(".csd") {
      // Csound knows a CSD by the end of its name.
      let folder = environmentVariable("XDG_RUNTIME_DIR") ?? environmentVariable("TMPDIR") ?? "/tmp"
      path = "\(folder)/sonde-\(monotonicNow())-\(Unmanaged.passUnretained(host).toOpaque()).csd"
      do {
        try writeFile(path, file.text)
      } catch {
        throw EngineError(.system, "The CSD cannot be checked: \(error).")
      }
      temporary = path
    }
    defer { if let temporary { try? removeFile(temporary) } }

    guard let trial = csoundCreate(Unmanaged.passUnretained(host).toOpaque()) else {
      throw EngineError(.system, "Csound cannot be created: there is no memory.")
    }
    csoundSetMessageCallback(trial, csoundMessageCallback)
    log.collect()
    let words = ["csound"] + environment(file) + options.written + [path]
    let result = withCStrings(words) { csoundCompileArgs(trial, Int32(words.count), $0) }
    let said = log.collect(finishing: true)
    let channels = csoundGetNchnls(trial)
    if channels > 1024 {
      // It is never destroyed: Csound 6.18 crashes when it sums up the levels of so many channels.
      throw EngineError(
        .compile,
        "\(file.name): nchnls is \(channels), and Csound plays at most 1024 channels; lower it.")
    }
    csoundDestroy(trial)
    // What it says while it goes is about the trial, not about the run.
    _ = log.take()
    if result != 0 {
      throw CsoundInstance.compileError(
        file, CsoundFailure(said, name: file.name, checkedAs: path))
    }
  }

  private static func compileError(_ file: CSDFile, _ failure: CsoundFailure) -> EngineError {
    let place = failure.line.map { "\(file.name):\($0)" } ?? file.name
    let isOption = failure.details.contains {
      $0.contains("unknown long option") || $0.contains("unknown flag")
        || $0.contains("unknown output format") || $0.contains("Unknown output format")
        || $0.hasPrefix("Csound Command ERROR")
    }
    if isOption {
      return EngineError(
        .option,
        "\(place): Csound does not know an option; correct <CsOptions> or the command line.",
        details: failure.details)
    }
    return EngineError(
      .compile, "\(place): the CSD does not compile; correct what Csound names.",
      details: failure.details)
  }

  private func compile(_ options: [String]) throws(EngineError) {
    // Tells afterwards whether the CSD names an audio module.
    for option in ["-+rtaudio=auto"] + CsoundInstance.environment(file) + options
    where csoundSetOption(instance, option) != 0 {
      throw EngineError(.option, "\(file.name): Csound refuses the option \(option).")
    }
    let result = file.textWithoutOptions.withUnsafeBufferPointer {
      $0.baseAddress!.withMemoryRebound(to: CChar.self, capacity: $0.count) {
        csoundCompileCsdText(instance, $0)
      }
    }
    let said = log.collect(finishing: true)
    if result != 0 {
      throw CsoundInstance.compileError(file, CsoundFailure(said, name: file.name))
    }
    let sampleRate = csoundGetSr(instance)
    ksmps = Int(csoundGetKsmps(instance))
    channels = Int(csoundGetNchnls(instance))
    inputChannels = Int(csoundGetNchnlsInput(instance))
    fullScale = csoundGet0dBFS(instance)
    // Written so that NaN fails too.
    guard sampleRate >= 1, sampleRate <= 1e7, ksmps >= 1, channels >= 1, fullScale > 0 else {
      throw EngineError(
        .compile,
        "\(file.name): sr (\(sampleRate)) must be from 1 to 10000000, ksmps (\(ksmps)) at least 1, nchnls (\(channels)) at least 1 and 0dbfs (\(fullScale)) above 0; correct the orchestra's header or the options."
      )
    }
    rate = Int(sampleRate.rounded())
    var parameters = CSOUND_PARAMS()
    csoundGetParams(instance, &parameters)
    isSampleAccurate = parameters.sample_accurate != 0
  }

  /// What the CSD and the options say about audio; nil where they are silent.
  struct AudioWishes {
    /// `_RTAUDIO`: the module.
    var module: String?
    /// `-o`: a file or a device.
    var output: String?
    /// `-i`: a file or a device.
    var input: String?
    var buffer: Int?
    var hardwareBuffer: Int?
    var rate = 48_000
    var ksmps = 1
  }

  var audioWishes: AudioWishes {
    var wishes = AudioWishes()
    wishes.rate = rate
    wishes.ksmps = ksmps
    if let value = csoundQueryGlobalVariable(instance, "_RTAUDIO") {
      let name = String(cString: value.assumingMemoryBound(to: CChar.self))
      if name != "auto" && !name.isEmpty { wishes.module = name.lowercased() }
    }
    if let name = csoundGetOutputName(instance) {
      let text = String(cString: name)
      if !text.isEmpty { wishes.output = text }
    }
    if let name = csoundGetInputName(instance) {
      let text = String(cString: name)
      if !text.isEmpty { wishes.input = text }
    }
    var parameters = CSOUND_PARAMS()
    csoundGetParams(instance, &parameters)
    let buffer = Int(parameters.buffer_frames)
    // Below 0 it counts k-cycles.
    if buffer != 0 { wishes.buffer = buffer < 0 ? -buffer * ksmps : buffer }
    if parameters.hardware_buffer_frames > 0 {
      wishes.hardwareBuffer = Int(parameters.hardware_buffer_frames)
    }
    return wishes
  }

  /// Lets the instance run: audio by Sonde's callbacks, MIDI by nobody.
  ///
  /// - Parameter options: applied last, so that they win (`-odac`, `--output=…`, `-n`).
  /// - Throws: `EngineError` with Csound's own lines.
  func start(_ options: [String], initialValues: [(channel: String, value: Double)])
    throws(EngineError)
  {
    csoundSetPlayopenCallback(instance, csoundPlayOpenCallback)
    csoundSetRtplayCallback(instance, csoundPlayCallback)
    csoundSetRecopenCallback(instance, csoundRecordOpenCallback)
    csoundSetRtrecordCallback(instance, csoundRecordCallback)
    csoundSetRtcloseCallback(instance, csoundCloseCallback)
    csoundSetHostImplementedMIDIIO(instance, 1)
    csoundSetExternalMidiInOpenCallback(instance, csoundMIDIOpenCallback)
    csoundSetExternalMidiReadCallback(instance, csoundMIDIReadCallback)
    csoundSetExternalMidiInCloseCallback(instance, csoundMIDICloseCallback)
    csoundSetExternalMidiOutOpenCallback(instance, csoundMIDIOpenCallback)
    csoundSetExternalMidiWriteCallback(instance, csoundMIDIWriteCallback)
    csoundSetExternalMidiOutCloseCallback(instance, csoundMIDICloseCallback)
    // No module of Csound's answers to this name, so the callbacks stay. -b: one block is one k-cycle.
    for option in ["-+rtaudio=sonde", "-b\(ksmps)"] + options
    where csoundSetOption(instance, option) != 0 {
      throw EngineError(.option, "\(file.name): Csound refuses the option \(option).")
    }
    // Twice: instr 0 sees the values, and a default that it declares does not replace them.
    try setValues(initialValues)
    log.collect()
    let result = csoundStart(instance)
    let said = log.collect(finishing: true)
    if result != 0 {
      let failure = CsoundFailure(said, name: file.name)
      let place = failure.line.map { "\(file.name):\($0)" } ?? file.name
      throw EngineError(
        .compile, "\(place): Csound cannot start; correct what it names.", details: failure.details)
    }
    try setValues(initialValues)
  }

  /// Makes room for `count` channels that are about to come and for `spare` later ones. After `start`.
  func reserveChannels(_ count: Int, spare: Int) {
    if spare <= 0 { return }
    // The orchestra has some too.
    let added = ChannelRoom.placeholders(existing: count, spare: spare + 1024)
    for number in 0..<added { _ = ChannelRoom.name(number).withCString { calls.channel($0) } }
  }

  private func setValues(_ values: [(channel: String, value: Double)]) throws(EngineError) {
    for (name, value) in values where value.isFinite {
      guard let pointer = name.withCString({ calls.channel($0) }) else {
        throw EngineError(
          .compile,
          "\(file.name): the channel \(name) is not a control channel there; give the widget another name."
        )
      }
      pointer.pointee = value
    }
  }
}

private func withCStrings<Result>(
  _ words: [String], _ body: (UnsafeMutablePointer<UnsafePointer<CChar>?>) -> Result
) -> Result {
  let copies = words.map { word -> UnsafeMutablePointer<CChar> in
    let bytes = Array(word.utf8CString)
    let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
    copy.initialize(from: bytes, count: bytes.count)
    return copy
  }
  defer { for copy in copies { copy.deallocate() } }
  var pointers = copies.map { UnsafePointer<CChar>?($0) } + [nil]
  return pointers.withUnsafeMutableBufferPointer { body($0.baseAddress!) }
}
