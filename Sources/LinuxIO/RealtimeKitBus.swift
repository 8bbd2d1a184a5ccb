import CDBus
import Glibc

/// Why there is no answer; reads on from "RealtimeKit".
struct BusFailure: Error {
  let text: String
}

/// A connection to the message bus on which RealtimeKit is; the only caller of libdbus.
///
/// Every call waits for so many milliseconds at the most, except `init`, which waits while the bus takes no connections.
struct RealtimeKitBus: ~Copyable {
  private static let service = "org.freedesktop.RealtimeKit1"
  private static let path = "/org/freedesktop/RealtimeKit1"

  private let connection: OpaquePointer

  init(_ address: String) throws(BusFailure) {
    // libdbus would make this process ignore SIGPIPE.
    dbus_connection_set_change_sigpipe(0)
    var error = DBusError()
    dbus_error_init(&error)
    defer { dbus_error_free(&error) }
    guard let opened = dbus_connection_open_private(address, &error) else {
      throw BusFailure(text: "is not to be reached: there is no system bus")
    }
    connection = opened
  }

  /// The first message on every bus.
  func greet(_ milliseconds: Int32) throws(BusFailure) {
    // Not `dbus_bus_register`, which waits for 25 s.
    let hello = dbus_message_new_method_call(
      "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "Hello")
    dbus_message_unref(try send(hello, milliseconds))
  }

  deinit {
    dbus_connection_close(connection)
    dbus_connection_unref(connection)
  }

  /// Sends a message, which it lets go of, and returns the answer, which belongs to the caller.
  private func send(_ message: OpaquePointer?, _ milliseconds: Int32) throws(BusFailure)
    -> OpaquePointer
  {
    guard let message else { throw BusFailure(text: "could not be asked: memory is short") }
    defer { dbus_message_unref(message) }
    var error = DBusError()
    dbus_error_init(&error)
    defer { dbus_error_free(&error) }
    if let reply = dbus_connection_send_with_reply_and_block(
      connection, message, milliseconds, &error)
    {
      return reply
    }
    let name = error.name.map { String(cString: $0) } ?? ""
    switch name {
    case "org.freedesktop.DBus.Error.ServiceUnknown":
      throw BusFailure(text: "is not installed")
    case "org.freedesktop.DBus.Error.NoReply", "org.freedesktop.DBus.Error.Timeout":
      throw BusFailure(text: "does not answer")
    case "org.freedesktop.DBus.Error.AccessDenied":
      throw BusFailure(text: "does not let this login have it")
    default:
      let text = error.message.map { String(cString: $0) } ?? name
      throw BusFailure(text: "refuses: \(text)")
    }
  }

  /// A number that RealtimeKit publishes.
  func property(_ name: String, _ milliseconds: Int32) throws(BusFailure) -> Int64 {
    let message = dbus_message_new_method_call(
      Self.service, Self.path, "org.freedesktop.DBus.Properties", "Get")
    var arguments = DBusMessageIter()
    dbus_message_iter_init_append(message, &arguments)
    for text in [Self.service, name] {
      text.withCString { bytes in
        var bytes: UnsafePointer<CChar>? = bytes
        dbus_message_iter_append_basic(&arguments, DBusType.string, &bytes)
      }
    }
    let reply = try send(message, milliseconds)
    defer { dbus_message_unref(reply) }
    var results = DBusMessageIter()
    var content = DBusMessageIter()
    if dbus_message_iter_init(reply, &results) != 0,
      dbus_message_iter_get_arg_type(&results) == DBusType.variant
    {
      dbus_message_iter_recurse(&results, &content)
      switch dbus_message_iter_get_arg_type(&content) {
      case DBusType.int32, DBusType.uint32:
        var value: Int32 = 0
        dbus_message_iter_get_basic(&content, &value)
        return Int64(value)
      case DBusType.int64, DBusType.uint64:
        var value: Int64 = 0
        dbus_message_iter_get_basic(&content, &value)
        return value
      default: break
      }
    }
    throw BusFailure(text: "gives no number for \(name)")
  }

  func makeRealtime(_ thread: Int32, priority: Int32, _ milliseconds: Int32) throws(BusFailure) {
    let message = dbus_message_new_method_call(
      Self.service, Self.path, Self.service, "MakeThreadRealtimeWithPID")
    var arguments = DBusMessageIter()
    dbus_message_iter_init_append(message, &arguments)
    for number in [getpid(), thread] {
      var number = UInt64(number)
      dbus_message_iter_append_basic(&arguments, DBusType.uint64, &number)
    }
    var priority = UInt32(priority)
    dbus_message_iter_append_basic(&arguments, DBusType.uint32, &priority)
    dbus_message_unref(try send(message, milliseconds))
  }
}

/// The letters of D-Bus's types, which are macros in C.
private enum DBusType {
  static let string = Int32(UInt8(ascii: "s"))
  static let variant = Int32(UInt8(ascii: "v"))
  static let int32 = Int32(UInt8(ascii: "i"))
  static let uint32 = Int32(UInt8(ascii: "u"))
  static let int64 = Int32(UInt8(ascii: "x"))
  static let uint64 = Int32(UInt8(ascii: "t"))
}
