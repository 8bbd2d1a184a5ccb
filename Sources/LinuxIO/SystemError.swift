import CLinux
import Glibc

/// An errno: trivially copyable, so that realtime code can throw it.
public struct ErrorNumber: Error, BitwiseCopyable, Hashable, Sendable {
  public var rawValue: Int32

  @_noLocks
  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// What the last failed call of this thread left.
  static var last: ErrorNumber { ErrorNumber(rawValue: errno) }

  public static let notFound = ErrorNumber(rawValue: ENOENT)
  public static let noPermission = ErrorNumber(rawValue: EACCES)
  public static let notPermitted = ErrorNumber(rawValue: EPERM)
  public static let isFolder = ErrorNumber(rawValue: EISDIR)
  public static let notFolder = ErrorNumber(rawValue: ENOTDIR)
  public static let tooLarge = ErrorNumber(rawValue: EFBIG)
  public static let noSuchDevice = ErrorNumber(rawValue: ENODEV)
  public static let wouldBlock = ErrorNumber(rawValue: EAGAIN)
  public static let interrupted = ErrorNumber(rawValue: EINTR)
  public static let busy = ErrorNumber(rawValue: EBUSY)
  public static let exists = ErrorNumber(rawValue: EEXIST)
  public static let invalid = ErrorNumber(rawValue: EINVAL)
  public static let brokenPipe = ErrorNumber(rawValue: EPIPE)
  public static let noMemory = ErrorNumber(rawValue: ENOMEM)
  public static let outOfSpace = ErrorNumber(rawValue: ENOSPC)
}

extension ErrorNumber: CustomStringConvertible {
  /// The constant's name, such as `ENOENT`.
  public var name: String {
    sonde_error_name(rawValue).map { String(cString: $0) } ?? "errno \(rawValue)"
  }

  public var description: String {
    switch self {
    case .notFound: "does not exist"
    case .noPermission: "may not be opened by this user (permission denied)"
    case .isFolder: "is a folder, not a file"
    case .notFolder: "is not a folder"
    default:
      sonde_error_text(rawValue).map { String(cString: $0).lowercasedFirst } ?? "errno \(rawValue)"
    }
  }
}

extension ErrorNumber {
  /// What reads on from a file's name: `does not exist`. The system's own texts need a colon.
  public var predicate: String {
    switch self {
    case .notFound, .noPermission, .isFolder, .notFolder: description
    default: "could not be used: \(description)"
    }
  }
}

/// A failed call of the system: which one, on what, and why, as a sentence.
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
  public var number: ErrorNumber
  /// The C function that failed.
  public var call: String
  /// The file, folder or device that it was about, or empty.
  public var path: String

  public init(_ number: ErrorNumber, call: String, path: String = "") {
    self.number = number
    self.call = call
    self.path = path
  }

  static func last(_ call: String, _ path: String = "") -> SystemError {
    SystemError(.last, call: call, path: path)
  }

  public var description: String {
    path.isEmpty
      ? "\(call) failed: \(number) (\(number.name))"
      : "\(path) \(number.predicate) (\(call): \(number.name))"
  }
}

extension String {
  fileprivate var lowercasedFirst: String {
    guard let first else { return self }
    return first.lowercased() + dropFirst()
  }
}
