import Audio
import LinuxIO
import Synchronization

/// What other threads ask of PERFORM; behind a pointer, because PERFORM may not count references.
struct LiveControls: ~Copyable, Sendable {
  let isStopRequested = Atomic<Bool>(false)
  /// Whether time stands still.
  let isPaused = Atomic<Bool>(false)
  /// Whether what is computed is not heard.
  let isMuted = Atomic<Bool>(false)
  /// Whether the timer stands in for a lost device.
  let isOnTimer = Atomic<Bool>(false)
  private let offer = Atomic<UInt>(0)
  private let captureOffer = Atomic<UInt>(0)
  // The recorder that PERFORM is to use, and the one that it is using at this moment: what it uses is not freed.
  private let recorder = Atomic<UInt>(0)
  private let recorderInUse = Atomic<UInt>(0)

  /// Hands over a device that was opened again; CONTROL keeps it alive. Replaces an offer that was not taken.
  func makeOffer(_ device: AudioDevice) {
    offer.store(UInt(bitPattern: Unmanaged.passUnretained(device).toOpaque()), ordering: .releasing)
  }

  @_noLocks
  func takeOffer() -> Unmanaged<AudioDevice>? {
    if offer.load(ordering: .relaxed) == 0 { return nil }
    let bits = offer.exchange(0, ordering: .acquiring)
    guard let pointer = UnsafeRawPointer(bitPattern: bits) else { return nil }
    return .fromOpaque(pointer)
  }

  /// The same for a device that captures.
  func makeOffer(_ capture: IndependentCapture) {
    captureOffer.store(
      UInt(bitPattern: Unmanaged.passUnretained(capture).toOpaque()), ordering: .releasing)
  }

  @_noLocks
  func takeCaptureOffer() -> Unmanaged<IndependentCapture>? {
    if captureOffer.load(ordering: .relaxed) == 0 { return nil }
    let bits = captureOffer.exchange(0, ordering: .acquiring)
    guard let pointer = UnsafeRawPointer(bitPattern: bits) else { return nil }
    return .fromOpaque(pointer)
  }

  /// Lets PERFORM leave its blocks with `new` from its next k-cycle on; nil ends it.
  ///
  /// When this returns, PERFORM does not touch the former one any more. Not PERFORM; one thread at a time.
  func use(_ new: Recorder?) {
    let bits = new.map { UInt(bitPattern: Unmanaged.passUnretained($0).toOpaque()) } ?? 0
    let former = recorder.exchange(bits, ordering: .sequentiallyConsistent)
    while former != 0, recorderInUse.load(ordering: .sequentiallyConsistent) == former {
      sleepUntil(monotonicNow() + 100_000)
    }
  }

  /// PERFORM: leaves a block with the recorder, if there is one.
  @_noLocks
  func record(_ block: UnsafePointer<Double>, frames: Int) {
    let bits = recorder.load(ordering: .relaxed)
    if bits == 0 { return }
    recorderInUse.store(bits, ordering: .sequentiallyConsistent)
    // Looked at again, now that whoever takes it away sees that it is in use.
    if recorder.load(ordering: .sequentiallyConsistent) == bits {
      if let pointer = UnsafeRawPointer(bitPattern: bits) {
        let recorder = Unmanaged<Recorder>.fromOpaque(pointer)
        recorder._withUnsafeGuaranteedRef { $0.record(block, frames: frames) }
      }
    }
    recorderInUse.store(0, ordering: .sequentiallyConsistent)
  }
}
