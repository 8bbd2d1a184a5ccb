import Audio
import LinuxIO
import Synchronization

/// Closes a lost device and opens it again, on a thread of its own: a sound server that has stopped may keep both
/// waiting for as long as it likes.
final class DeviceReopening: ThreadBody {
  enum State {
    case running, abandoned
    case opened(AudioDevice)
    case failed(AudioError)
  }

  private let old: AudioDevice?
  private let address: AudioAddress
  private let request: AudioRequest
  private let state = Mutex(State.running)

  private init(_ old: AudioDevice?, _ address: AudioAddress, _ request: AudioRequest) {
    self.old = old
    self.address = address
    self.request = request
  }

  /// - Throws: `SystemError` where there is no thread.
  static func start(_ old: AudioDevice?, _ address: AudioAddress, _ request: AudioRequest)
    throws(SystemError) -> DeviceReopening
  {
    let reopening = DeviceReopening(old, address, request)
    _ = try BackgroundTask.start(reopening)
    return reopening
  }

  func run() {
    old?.close()
    var next: State
    do throws(AudioError) {
      next = .opened(try AudioDevice(address, request, patience: nil))
    } catch {
      next = .failed(error)
    }
    let isAbandoned = state.withLock { state in
      if case .abandoned = state { return true }
      state = next
      return false
    }
    if isAbandoned, case .opened(let device) = next { device.close() }
  }

  /// What has become of it; a device that was opened is the caller's.
  func result() -> State { state.withLock { $0 } }

  /// Nobody wants the device any more.
  func abandon() {
    let before = state.withLock { state in
      defer { state = .abandoned }
      return state
    }
    if case .opened(let device) = before { device.close() }
  }
}
