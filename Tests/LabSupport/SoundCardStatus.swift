/// What the kernel says of one playing sound card: the position that no program can get wrong.
///
/// Source: /proc/asound/cardN/pcmMp/sub0/status (sound/core/pcm.c).
public struct SoundCardStatus: Sendable, Equatable {
  /// `RUNNING`, `PREPARED`, `XRUN` …; `closed` when nobody has it open.
  public let state: String
  /// The process that plays.
  public let owner: Int32?
  /// The frame that the hardware plays now, counted from the start.
  public let hardwarePosition: Int64
  /// The frame up to which the program has written.
  public let writtenPosition: Int64
  /// The frames between the two.
  public let delay: Int64
  /// When the hardware was there, in nanoseconds on the clock that the program chose for the stream; 0 before it moves.
  public let time: Int64

  /// The number of the dummy card of `vm --dummy-audio`, ALSA's `hw:Dummy`.
  public static let dummyCard = 7

  /// Reads the status of a card's playback side; nil when there is no such card.
  public init?(card: Int, device: Int = 0) {
    guard let text = TextFiles.read("/proc/asound/card\(card)/pcm\(device)p/sub0/status") else {
      return nil
    }
    self.init(text: text)
  }

  init(text: String) {
    var fields: [String: String] = [:]
    for line in text.split(separator: "\n") {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let trimmed = line[..<colon].filter { $0 != " " }
      fields[trimmed] = String(line[line.index(after: colon)...].drop { $0 == " " })
    }
    state = fields["state"] ?? "closed"
    owner = fields["owner_pid"].flatMap(Int32.init)
    hardwarePosition = fields["hw_ptr"].flatMap(Int64.init) ?? 0
    writtenPosition = fields["appl_ptr"].flatMap(Int64.init) ?? 0
    delay = fields["delay"].flatMap(Int64.init) ?? 0
    // Seconds and nine digits (sound/core/pcm.c: `tstamp`).
    let digits = fields["tstamp"]?.filter { $0 != "." } ?? ""
    time = Int64(digits) ?? 0
  }
}
