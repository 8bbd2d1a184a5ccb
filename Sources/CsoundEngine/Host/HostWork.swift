import Synchronization

/// What a host program does around the k-cycles of one run: tasks, score events, channels, bindings, sound.
///
/// PERFORM's from `begin` to `end`. None of it is realtime-safe by itself: what tasks and bindings do is the host's.
final class HostWork: @unchecked Sendable {
  let tasks = EngineTasks()
  let score = ScoreQueue()
  let midi = MIDIQueue()
  private let channels: HostChannels
  /// Set before the run; PERFORM's from then on.
  var bindings: [any CsoundBinding] = []
  var processors: [(AudioProcessorPlace, any AudioProcessor)] = []
  private weak let csound: CsoundObj?
  private(set) var instance: CsoundInstance?
  private var log: MessageLog?
  // The instance for the thread that compiles; whoever ends the run waits for it.
  private let compiler = Mutex(Compiler())

  // Used under the lock only.
  private struct Compiler: @unchecked Sendable { var calls: CsoundCalls? }

  /// Csound counts the lines of later code from this line of the CSD on; set before the first k-cycle.
  private(set) var orchestraLine = 1
  private var sound: HostSound?
  // PERFORM's own list of the chunks, and the next one whose values are looked at.
  private var chunks: [Unmanaged<ChannelChunk>] = []
  private var nextChunk = 0
  private var chunksPerCycle = 1

  init(_ csound: CsoundObj, channels: HostChannels) {
    self.csound = csound
    self.channels = channels
  }

  /// Adds orchestra code, on a thread of the host's; nil where the run has ended.
  ///
  /// Csound parses on the calling thread, and has its own lock for the moment in which the code becomes part of
  /// the orchestra.
  func compile(_ text: OrchestraText) -> Int32? {
    compiler.withLock { $0.calls?.compile(text) }
  }

  // MARK: PERFORM, outside of the music

  /// After the orchestra has compiled: channels get their places, bindings are set up.
  ///
  /// - Parameters:
  ///   - orchestraLine: the CSD's first line of orchestra code.
  ///   - log: where what goes wrong is said.
  func begin(_ instance: CsoundInstance, orchestraLine: Int, log: MessageLog) {
    self.instance = instance
    self.log = log
    self.orchestraLine = orchestraLine
    let compiler = Compiler(calls: instance.calls)
    self.compiler.withLock { $0 = compiler }
    sound = HostSound(
      rate: instance.rate, frames: instance.ksmps, channels: instance.channels,
      inputChannels: instance.inputChannels)
    for (place, processor) in processors { sound?.add(processor, at: place) }
    for channel in channels.begin() { follow(channel) }
    if let csound { for binding in bindings { binding.setup(csound) } }
  }

  /// Before the instance goes: every binding is cleaned up, whoever waits is told.
  func end() {
    for binding in bindings { binding.cleanup() }
    bindings = []
    // Tasks that were posted before the end and not run are refused.
    tasks.close()
    compiler.withLock { $0 = Compiler() }
    channels.end()
    chunks = []
    sound?.deallocate()
    sound = nil
    instance = nil
  }

  // MARK: PERFORM, from tasks

  func follow(_ channel: ControlChannel) {
    guard let instance else { return }
    let pointer = channel.name.withCString { instance.calls.channel($0) }
    channel.chunk.follow(channel.index, pointer)
    if pointer == nil {
      log?.add(
        EngineMessage(
          .notice,
          "The channel \(channel.name) is not a control channel in the CSD: its values are dropped; choose another name."
        ))
    }
    let chunk = Unmanaged.passUnretained(channel.chunk)
    if chunks.contains(where: { $0.toOpaque() == chunk.toOpaque() }) { return }
    chunks.append(chunk)
    // All of them within ten milliseconds.
    let cycles = max(0.01 * Double(instance.rate) / Double(instance.ksmps), 1)
    chunksPerCycle = Int((Double(chunks.count) / cycles).rounded(.up))
  }

  func add(_ binding: any CsoundBinding) {
    guard let csound, instance != nil else { return }
    if bindings.contains(where: { $0 === binding }) { return }
    bindings.append(binding)
    binding.setup(csound)
  }

  func remove(_ binding: any CsoundBinding) {
    guard let index = bindings.firstIndex(where: { $0 === binding }) else { return }
    bindings.remove(at: index)
    binding.cleanup()
  }

  func add(_ processor: any AudioProcessor, at place: AudioProcessorPlace) {
    sound?.add(processor, at: place)
  }

  func remove(_ processor: any AudioProcessor) { sound?.remove(processor) }

  // MARK: PERFORM, in the music

  /// Before a k-cycle.
  ///
  /// - Returns: what Csound hears of `input`.
  func before(_ calls: CsoundCalls, hearing input: UnsafePointer<Double>?) -> UnsafePointer<Double>?
  {
    runTasks()
    score.give(to: calls)
    for binding in bindings { binding.updateValuesToCsound() }
    for chunk in chunks { chunk._withUnsafeGuaranteedRef { $0.giveToCsound() } }
    return sound?.hear(input) ?? input
  }

  /// After a k-cycle, which left `block`.
  func after(_ block: UnsafeMutablePointer<Double>) {
    for _ in 0..<chunksPerCycle where !chunks.isEmpty {
      if nextChunk >= chunks.count { nextChunk = 0 }
      chunks[nextChunk]._withUnsafeGuaranteedRef { $0.takeFromCsound() }
      nextChunk += 1
    }
    for binding in bindings { binding.updateValuesFromCsound() }
    sound?.play(block)
  }

  /// While the engine pauses as well.
  func runTasks() {
    guard let instance else { return }
    // Bounded, so that a flood cannot keep the sound waiting.
    var left = 64
    while left > 0, let task = tasks.next() {
      task._withUnsafeGuaranteedRef { $0.run(instance) }
      left -= 1
    }
  }
}
