import Synchronization

/// Pieces of text from any thread to CONTROL, without locks: Csound prints fragments, from whatever thread it likes.
///
/// A bounded queue for many producers after D. Vyukov: each slot's sequence number says whose turn it is.
/// A full ring drops the newest piece and counts it.
final class MessageRing: @unchecked Sendable {
  struct Slot: BitwiseCopyable {
    var attribute: Int32
    var count: Int32

    @_noLocks
    init(attribute: Int32 = 0, count: Int32 = 0) {
      self.attribute = attribute
      self.count = count
    }
  }

  private let pieceSize = 248
  private let mask: Int
  private let sequences: UnsafeMutablePointer<Atomic<Int>>
  private let slots: UnsafeMutablePointer<Slot>
  private let text: UnsafeMutablePointer<UInt8>
  private let head = Atomic<Int>(0)
  // The consumer's alone.
  private var tail = 0
  private let dropped = Atomic<Int>(0)

  /// - Parameter capacity: pieces, a power of two.
  init(capacity: Int = 2048) {
    precondition(capacity > 0 && capacity & (capacity - 1) == 0)
    mask = capacity - 1
    sequences = .allocate(capacity: capacity)
    for index in 0..<capacity { (sequences + index).initialize(to: Atomic(index)) }
    slots = .allocate(capacity: capacity)
    slots.initialize(repeating: Slot(), count: capacity)
    text = .allocate(capacity: capacity * pieceSize)
    text.initialize(repeating: 0, count: capacity * pieceSize)
  }

  deinit {
    sequences.deinitialize(count: mask + 1)
    sequences.deallocate()
    slots.deallocate()
    text.deallocate()
  }

  var dropCount: Int { dropped.load(ordering: .relaxed) }

  /// Adds text of any length, in as many pieces as it takes. Any thread.
  @_noLocks
  func push(_ bytes: UnsafePointer<UInt8>, count: Int, attribute: Int32) {
    var done = 0
    while done < count {
      let size = min(count - done, pieceSize)
      pushPiece(bytes + done, size, attribute)
      done += size
    }
  }

  @_noLocks
  private func pushPiece(_ bytes: UnsafePointer<UInt8>, _ count: Int, _ attribute: Int32) {
    var position = head.load(ordering: .relaxed)
    while true {
      let turn = sequences[position & mask].load(ordering: .acquiring) - position
      if turn < 0 {
        dropped.wrappingAdd(1, ordering: .relaxed)
        return
      }
      if turn > 0 {
        position = head.load(ordering: .relaxed)
        continue
      }
      let (won, seen) = head.weakCompareExchange(
        expected: position, desired: position + 1, ordering: .relaxed)
      if won { break }
      position = seen
    }
    let index = position & mask
    slots[index] = Slot(attribute: attribute, count: Int32(count))
    let piece = text + index * pieceSize
    for offset in 0..<count { piece[offset] = bytes[offset] }
    sequences[index].store(position + 1, ordering: .releasing)
  }

  /// Takes the oldest piece, or nil when there is none. One thread at a time.
  func pop() -> (text: [UInt8], attribute: Int32)? {
    let index = tail & mask
    if sequences[index].load(ordering: .acquiring) != tail + 1 { return nil }
    let slot = slots[index]
    let bytes = Array(
      UnsafeBufferPointer(start: text + index * pieceSize, count: Int(slot.count)))
    sequences[index].store(tail + mask + 1, ordering: .releasing)
    tail += 1
    return (bytes, slot.attribute)
  }
}

/// Joins the pieces that Csound prints to whole lines.
struct MessageLines {
  private var line: [UInt8] = []
  private var kind = EngineMessage.Kind.normal

  /// The lines that are complete now.
  mutating func take(from ring: MessageRing) -> [EngineMessage] {
    var lines: [EngineMessage] = []
    while let piece = ring.pop() {
      for byte in piece.text {
        if byte == UInt8(ascii: "\n") {
          if let message = finish() { lines.append(message) }
        } else if byte != UInt8(ascii: "\r") {
          line.append(byte)
          // C: CSOUNDMSG_TYPE_MASK 0x7000. The type 0x1000 (error) says little: the banner has it too.
          switch piece.attribute & 0x7000 {
          case 0x2000: kind = .orchestra
          case 0x4000: kind = .warning
          default: break
          }
        }
      }
    }
    return lines
  }

  /// What was begun and has no end yet.
  mutating func finish() -> EngineMessage? {
    defer {
      line.removeAll(keepingCapacity: true)
      kind = .normal
    }
    // Colours, where -m asks for them.
    var text = ""
    var bytes = line[...]
    while let escape = bytes.firstIndex(of: 0x1B) {
      text += String(decoding: bytes[..<escape], as: UTF8.self)
      bytes = bytes[escape...].drop { $0 != UInt8(ascii: "m") }.dropFirst()
    }
    text += String(decoding: bytes, as: UTF8.self)
    if text.allSatisfy({ $0 == " " || $0 == "\t" }) { return nil }
    let lower = text.lowercased()
    if kind == .normal {
      if lower.contains("error") && !lower.hasPrefix("0 errors") {
        kind = .error
      } else if lower.hasPrefix("warning") {
        kind = .warning
      }
    }
    return EngineMessage(kind, text)
  }
}
