import DeviceWatch

/// Nodes as sysfs shows them; masks as the kernel prints them for a DualSense.
enum TestNodes {
  static func node(
    _ number: Int, of device: String = "pad1", name: String, _ attributes: [String: String]
  ) -> DeviceNode {
    let parent = "/sys/devices/\(device)"
    var node = DeviceNode(
      subsystem: .input, systemPath: "\(parent)/input/input\(number + 100)/event\(number)",
      path: "/dev/input/event\(number)", number: number, parent: parent)
    node.attributes = attributes
    node.attributes["name"] = name
    node.attributes["uniq"] = "uniq-\(device)"
    node.driver = "playstation"
    return node
  }

  static let ids = ["id/vendor": "054c", "id/product": "0ce6"]

  static func pad(_ number: Int, of device: String = "pad1") -> DeviceNode {
    node(
      number, of: device, name: "DualSense Wireless Controller",
      ids.merging([
        "capabilities/key": "7fdb000000000000 0 0 0 0", "capabilities/abs": "3003f",
        "properties": "0",
      ]) { $1 })
  }

  static func motion(_ number: Int, of device: String = "pad1") -> DeviceNode {
    node(
      number, of: device, name: "DualSense Wireless Controller Motion Sensors",
      ids.merging([
        "capabilities/abs": "3f", "capabilities/msc": "20", "properties": "40",
        "capabilities/key": "0",
      ]) { $1 })
  }

  static func touchpad(_ number: Int, of device: String = "pad1") -> DeviceNode {
    node(
      number, of: device, name: "DualSense Wireless Controller Touchpad",
      ids.merging([
        "capabilities/key": "2420 10000 0 0 0 0", "capabilities/abs": "260800000000003",
        "properties": "5",
      ]) { $1 })
  }

  static func keyboard(_ number: Int) -> DeviceNode {
    node(
      number, of: "keyboard", name: "AT Translated Set 2 keyboard",
      ["capabilities/key": "ffffffffffffffff fffffffffffffffe", "properties": "0"])
  }

  static func mouse(_ number: Int) -> DeviceNode {
    node(
      number, of: "mouse", name: "Optical Mouse",
      ["capabilities/key": "1f0000 0 0 0 0", "capabilities/rel": "903", "properties": "0"])
  }
}
