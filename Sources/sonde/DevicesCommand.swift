import Bridge
import Events
import LinuxIO

/// `sonde devices`.
enum DevicesCommand {
  static func run(_ invocation: Invocation) throws(UsageError) -> Int32 {
    do throws(SessionError) {
      let list = try DeviceList()
      _ = list.update()
      show(list.entries, asJSON: invocation.has("json"))
      if invocation.has("watch") { try watch(list, asJSON: invocation.has("json")) }
      return 0
    } catch {
      Terminal.error(text(of: error))
      return 1
    }
  }

  private static func watch(_ list: DeviceList, asJSON: Bool) throws(SessionError) {
    do {
      let signals = try SignalSource()
      let poll = try EventPoll(capacity: 4)
      _ = try poll.add(list.descriptor, tag: 0)
      _ = try poll.add(signals.descriptor, tag: 1)
      while true {
        poll.wait()
        while poll.next() != nil {}
        if signals.next() != nil { return }
        if list.update() {
          if !asJSON { Terminal.output("") }
          show(list.entries, asJSON: asJSON)
        }
      }
    } catch {
      throw .system("Devices cannot be watched: \(error).")
    }
  }

  private static func show(_ entries: [DeviceList.Entry], asJSON: Bool) {
    if asJSON { return Terminal.output(JSON.array(entries.map(json)).text) }
    if entries.isEmpty {
      return Terminal.output(
        "No controller or motion sensor is plugged in. What is plugged in later will be found.")
    }
    for entry in entries {
      let device = entry.description
      let model = device.model.map { "model=\($0)" } ?? "name=\"\(device.name)\""
      Terminal.output("\(device.kind.rawValue)  \(device.name.printable)")
      Terminal.output("  in a mapping  device NAME \(device.kind.rawValue) \(model.printable)")
      Terminal.output("  told apart by \(entry.identity.printable)")
      if !device.controls.isEmpty {
        Terminal.output("  controls      \(device.controls.joined(separator: " "))")
      }
      for node in entry.nodes { Terminal.output("  \(node.role)\(pad(node.role))\(node.path)") }
      for problem in entry.nodes.compactMap(\.problem) { Terminal.output("  ! \(problem)") }
    }
  }

  private static func pad(_ role: String) -> String {
    String(repeating: " ", count: max(1, 14 - role.count))
  }

  private static func json(_ entry: DeviceList.Entry) -> JSON {
    let device = entry.description
    func hexadecimal(_ number: UInt16?) -> JSON {
      guard let number else { return .null }
      let digits = String(number, radix: 16)
      return .string(String(repeating: "0", count: 4 - digits.count) + digits)
    }
    return .object([
      ("kind", .string(device.kind.rawValue)), ("name", .string(device.name)),
      ("model", device.model.map(JSON.string) ?? .null),
      ("vendor", hexadecimal(device.vendor)), ("product", hexadecimal(device.product)),
      ("uniq", .string(device.uniq)), ("serial", .string(device.serial)),
      ("path", .string(device.path)), ("identity", .string(entry.identity)),
      ("controls", .array(device.controls.map(JSON.string))),
      (
        "nodes",
        .array(
          entry.nodes.map { node in
            .object([
              ("path", .string(node.path)), ("role", .string(node.role)),
              ("problem", node.problem.map(JSON.string) ?? .null),
            ])
          })
      ),
    ])
  }
}
