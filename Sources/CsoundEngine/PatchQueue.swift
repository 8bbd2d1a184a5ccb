import Events

/// The patch that plays, and the one that will: what CONTROL hands over, and gets back. PERFORM alone.
///
/// Its references are not counted; CONTROL keeps every record alive until it comes back.
struct PatchQueue {
  private let incoming: Unmanaged<SPSCRing<UnsafeRawPointer>>
  private let retired: Unmanaged<SPSCRing<UnsafeRawPointer>>
  private(set) var playing: Unmanaged<PatchRecord>
  private(set) var next: Unmanaged<PatchRecord>?

  init(
    playing: PatchRecord, incoming: SPSCRing<UnsafeRawPointer>,
    retired: SPSCRing<UnsafeRawPointer>
  ) {
    self.playing = .passUnretained(playing)
    self.incoming = .passUnretained(incoming)
    self.retired = .passUnretained(retired)
  }

  /// Looks for a next patch where there is none yet.
  @_noLocks
  mutating func look() {
    if next != nil { return }
    var pointer: UnsafeRawPointer?
    incoming._withUnsafeGuaranteedRef { pointer = $0.pop() }
    if let pointer { next = Unmanaged.fromOpaque(pointer) }
  }

  /// Makes the patch of `generation` the next one; those before it go back unused. False where it is not there.
  @_noLocks
  mutating func find(_ generation: Int) -> Bool {
    while true {
      look()
      guard let candidate = next else { return false }
      let found = candidate._withUnsafeGuaranteedRef { $0.generation }
      if found == generation { return true }
      // A later patch stays for its own switch.
      if found > generation { return false }
      retire(candidate)
      next = nil
    }
  }

  /// Lets the next patch play, with the state of the one before, which goes back.
  @_noLocks
  mutating func advance() {
    guard let taken = next else { return }
    let state = playing._withUnsafeGuaranteedRef { $0.state }
    taken._withUnsafeGuaranteedRef { $0.inherit(state) }
    retire(playing)
    playing = taken
    next = nil
  }

  @_noLocks
  private func retire(_ record: Unmanaged<PatchRecord>) {
    let pointer = UnsafeRawPointer(record.toOpaque())
    _ = retired._withUnsafeGuaranteedRef { $0.push(pointer) }
  }
}
