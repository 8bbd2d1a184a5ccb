import Audio
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
}
