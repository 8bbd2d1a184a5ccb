/// One bit for each slot of a patch: 64 slots are looked at in one step.
struct SlotBits: BitwiseCopyable {
  private let words: UnsafeMutablePointer<UInt64>
  private let wordCount: Int

  init(count: Int) {
    wordCount = (count + 63) / 64
    words = .allocate(capacity: max(wordCount, 1))
    words.initialize(repeating: 0, count: wordCount)
  }

  func deallocate() { words.deallocate() }

  subscript(slot: Int) -> Bool {
    @_noLocks get { words[slot >> 6] >> UInt64(slot & 63) & 1 == 1 }
  }

  @_noLocks
  func insert(_ slot: Int) { words[slot >> 6] |= 1 << UInt64(slot & 63) }

  /// Becomes what both of the others have, as far as both go.
  @_noLocks
  func set(toBothOf first: SlotBits, _ second: SlotBits) {
    let common = first.wordCount < second.wordCount ? first.wordCount : second.wordCount
    for word in 0..<wordCount {
      words[word] = word < common ? first.words[word] & second.words[word] : 0
    }
  }
}
