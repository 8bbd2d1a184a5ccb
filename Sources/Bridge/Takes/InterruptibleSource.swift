import Events
import LinuxIO

/// A file that may be a pipe or a keyboard, read without waiting for it longer than the user wants.
///
/// When it is interrupted, or the deadline has passed, the file counts as ended.
final class InterruptibleSource: ByteSource {
  /// When to wait no longer, or nil.
  var deadline: Nanoseconds?
  private let file: FileReader
  private let isInterrupted: () -> Bool
  /// Nil for what never keeps a reader waiting: epoll refuses plain files.
  private let poll: EventPoll?
  private var isEnded = false

  /// - Parameter isInterrupted: asked twenty times a second while there is nothing to read.
  init(_ file: FileReader, isInterrupted: @escaping () -> Bool) {
    self.file = file
    self.isInterrupted = isInterrupted
    guard let poll = try? EventPoll(capacity: 1), (try? poll.add(file.descriptor, tag: 0)) != nil
    else {
      self.poll = nil
      return
    }
    self.poll = poll
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    guard let poll else { return try file.read(into: buffer) }
    while !isEnded {
      poll.wait(milliseconds: 50)
      let isReadable = poll.next() != nil
      if isInterrupted() { isEnded = true }
      if let deadline, monotonicNow() >= deadline { isEnded = true }
      if isReadable && !isEnded { return try file.read(into: buffer) }
    }
    return 0
  }
}
