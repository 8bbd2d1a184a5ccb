/// What a host program does with the sound of one run: processors before Csound's input and after its output.
/// PERFORM's.
struct HostSound {
  private var inputs: [any AudioProcessor] = []
  private var outputs: [any AudioProcessor] = []
  private let rate: Int
  private let frames: Int
  private let channels: Int
  private let inputChannels: Int
  // What is captured belongs to others: processors change this copy.
  private let heard: UnsafeMutableBufferPointer<Double>

  init(rate: Int, frames: Int, channels: Int, inputChannels: Int) {
    self.rate = rate
    self.frames = frames
    self.channels = channels
    self.inputChannels = inputChannels
    heard = .allocate(capacity: frames * inputChannels)
    heard.initialize(repeating: 0)
  }

  func deallocate() { heard.deallocate() }

  mutating func add(_ processor: any AudioProcessor, at place: AudioProcessorPlace) {
    switch place {
    case .input:
      processor.prepare(rate: rate, channels: inputChannels, frames: frames)
      inputs.append(processor)
    case .output:
      processor.prepare(rate: rate, channels: channels, frames: frames)
      outputs.append(processor)
    }
  }

  mutating func remove(_ processor: any AudioProcessor) {
    inputs.removeAll { $0 === processor }
    outputs.removeAll { $0 === processor }
  }

  /// What Csound hears of `input`; nil is silence.
  func hear(_ input: UnsafePointer<Double>?) -> UnsafePointer<Double>? {
    guard !inputs.isEmpty, !heard.isEmpty else { return input }
    for index in heard.indices { heard[index] = input?[index] ?? 0 }
    for processor in inputs { processor.process(heard) }
    return UnsafePointer(heard.baseAddress)
  }

  /// Changes what Csound computed.
  func play(_ block: UnsafeMutablePointer<Double>) {
    if outputs.isEmpty { return }
    let whole = UnsafeMutableBufferPointer(start: block, count: frames * channels)
    for processor in outputs { processor.process(whole) }
  }
}

/// Where an `AudioProcessor` works.
public enum AudioProcessorPlace: Sendable {
  /// Before Csound hears it.
  case input
  /// Behind Csound.
  case output
}
