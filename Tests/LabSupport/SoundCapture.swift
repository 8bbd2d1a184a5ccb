import Glibc

/// What the virtual machine's sound card has played, read from the growing WAV file behind it.
public struct SoundCapture: Sendable {
  public let path: String

  /// The capture of the machine that this runs in (`vm --audio`), or nil.
  public static var ofThisMachine: SoundCapture? {
    environment("SONDE_LAB_SOUND").map(SoundCapture.init(path:))
  }

  /// A capture, or any WAV file of 16-bit samples.
  public init(path: String) { self.path = path }

  /// What a WAV file says of itself, and the bytes of its sound.
  public struct Sound: Sendable {
    public let sampleRate: Int
    public let channelCount: Int
    /// Interleaved.
    public let samples: [Int16]

    public init(sampleRate: Int, channelCount: Int, samples: [Int16]) {
      self.sampleRate = sampleRate
      self.channelCount = channelCount
      self.samples = samples
    }

    public var frameCount: Int { samples.count / channelCount }

    /// One channel's samples, −1…1.
    public func channel(_ number: Int) -> [Double] {
      stride(from: number, to: samples.count - channelCount + 1 + number, by: channelCount).map {
        Double(samples[$0]) / 32_768
      }
    }
  }

  /// The number of frames written so far, by the file's length: 16-bit stereo behind a header of 44 bytes.
  public var playedFrames: Int {
    var status = stat()
    guard stat(path, &status) == 0 else { return 0 }
    return max(0, (Int(status.st_size) - 44) / 4)
  }

  /// The frames from number `first` on that have been written so far.
  ///
  /// The sizes in the header of a growing file are not filled in yet, so the file's own length counts.
  /// - Returns: nil when there is no file or it is no 16-bit WAV file.
  public func read(from first: Int = 0) -> Sound? {
    // The chunks before the sound; of a long capture only the asked part is read.
    var status = stat()
    guard stat(path, &status) == 0, let bytes = TextFiles.bytes(path, limit: 4096),
      bytes.count >= 44,
      bytes[0..<4].elementsEqual("RIFF".utf8), bytes[8..<12].elementsEqual("WAVE".utf8)
    else { return nil }
    var position = 12
    var format: (channels: Int, rate: Int)?
    while position + 8 <= bytes.count {
      let size = Int(bytes.integer(at: position + 4, as: UInt32.self))
      let name = bytes[position..<(position + 4)]
      if name.elementsEqual("fmt ".utf8), position + 24 <= bytes.count {
        guard bytes.integer(at: position + 22, as: UInt16.self) == 16 else { return nil }
        format = (
          Int(bytes.integer(at: position + 10, as: UInt16.self)),
          Int(bytes.integer(at: position + 12, as: UInt32.self))
        )
      } else if name.elementsEqual("data".utf8), let format, format.channels > 0 {
        let start = position + 8 + first * 2 * format.channels
        let stated = position + 8 + size
        let length = Int(status.st_size)
        let end = size == 0 || stated > length ? length : stated
        let count = max(0, (end - start) / (2 * format.channels)) * format.channels
        guard let sound = TextFiles.bytes(path, from: start, limit: 2 * count),
          sound.count == 2 * count
        else { return nil }
        let samples = (0..<count).map { sound.integer(at: 2 * $0, as: Int16.self) }
        return Sound(sampleRate: format.rate, channelCount: format.channels, samples: samples)
      }
      position += 8 + size + size & 1
    }
    return nil
  }
}

extension SoundCapture.Sound {
  /// The frequency of a single tone in a channel, from its rising zero crossings, or nil below two of them.
  ///
  /// Crossings are placed between samples by a straight line; samples below `threshold` are taken for silence.
  public func frequency(channel number: Int = 0, threshold: Double = 0.01) -> Double? {
    let wave = channel(number)
    var first: Double?
    var last = 0.0
    var count = -1
    // A crossing counts only after the wave was clearly below zero, so that noise near zero adds none.
    var wasBelow = false
    for index in wave.indices.dropFirst() {
      if wave[index - 1] < -threshold { wasBelow = true }
      if wasBelow && wave[index - 1] < 0 && wave[index] >= 0 {
        last = Double(index - 1) + wave[index - 1] / (wave[index - 1] - wave[index])
        first = first ?? last
        count += 1
        wasBelow = false
      }
    }
    guard let first, count > 0 else { return nil }
    return Double(count) * Double(sampleRate) / (last - first)
  }

  /// The root mean square of a channel, 0…1.
  public func level(channel number: Int = 0) -> Double {
    let wave = channel(number)
    guard !wave.isEmpty else { return 0 }
    return (wave.reduce(0) { $0 + $1 * $1 } / Double(wave.count)).squareRoot()
  }
}
