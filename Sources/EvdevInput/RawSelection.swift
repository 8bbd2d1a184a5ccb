public import Events
internal import Synchronization

/// Which undecoded codes of one node are wanted: those that a mapping names, or all, for a recording.
///
/// CONTROL changes it while INPUT reads it; a change holds from the next event on.
public final class RawSelection: @unchecked Sendable {
  let bits = RawBits()

  public init(_ controls: some Sequence<ControlID> = []) {
    select(controls)
  }

  deinit { bits.deallocate() }

  /// Wants exactly these raw codes as values; others that are not raw codes are ignored. Any thread.
  public func select(_ controls: some Sequence<ControlID>) {
    var wanted = [UInt64](repeating: 0, count: RawBits.codeWords)
    for control in controls where control.isRaw {
      guard let bit = RawBits.bit(type: control.rawType, code: control.rawCode) else { continue }
      wanted[bit / 64] |= 1 << UInt64(bit % 64)
    }
    for index in wanted.indices { bits.words[index].store(wanted[index], ordering: .relaxed) }
    bits.mark(RawBits.selectingMark, wanted.contains { $0 != 0 })
  }

  /// Whether every event is told as it came (`ControlEvent.Kind.raw`) besides. Any thread.
  public var isRecording: Bool {
    get { bits.isRecording }
    set { bits.mark(RawBits.recordingMark, newValue) }
  }
}

/// What INPUT sees of a `RawSelection`, which must outlive it: a pointer, because a class reference is counted.
struct RawBits: BitwiseCopyable, @unchecked Sendable {
  // One bit a code, keys first, then absolute axes; then a word of marks: what there is to look for at all.
  let words: UnsafeMutablePointer<Atomic<UInt64>>
  static let codeWords = 0x300 / 64 + 1
  static var recordingMark: UInt64 { @_noLocks get { 1 } }
  static var selectingMark: UInt64 { @_noLocks get { 2 } }

  init() {
    words = .allocate(capacity: RawBits.codeWords + 1)
    for index in 0...RawBits.codeWords { (words + index).initialize(to: Atomic(0)) }
  }

  func deallocate() {
    words.deinitialize(count: RawBits.codeWords + 1)
    words.deallocate()
  }

  func mark(_ mark: UInt64, _ isOn: Bool) {
    if isOn {
      words[RawBits.codeWords].bitwiseOr(mark, ordering: .relaxed)
    } else {
      words[RawBits.codeWords].bitwiseAnd(~mark, ordering: .relaxed)
    }
  }

  private var marks: UInt64 {
    @_noLocks get { words[0x300 / 64 + 1].load(ordering: .relaxed) }
  }

  /// Whether nobody wants any raw event.
  var isEmpty: Bool { @_noLocks get { marks == 0 } }

  var isRecording: Bool { @_noLocks get { marks & RawBits.recordingMark != 0 } }

  @_noLocks
  func contains(type: UInt16, code: UInt16) -> Bool {
    guard let bit = RawBits.bit(type: type, code: code) else { return false }
    return words[bit >> 6].load(ordering: .relaxed) >> UInt64(bit & 63) & 1 == 1
  }

  @_noLocks
  static func bit(type: UInt16, code: UInt16) -> Int? {
    if type == EventType.key && code < 0x300 { return Int(code) }
    if type == EventType.absolute && code < 0x40 { return 0x300 + Int(code) }
    return nil
  }
}
