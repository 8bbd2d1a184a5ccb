import Testing

@testable import DeviceWatch

/// Who loses one of these has a pad twice, or one that never comes back after a replug.
@Suite struct KnownNodesTests {
  private func node(_ number: Int, name: String, parent: String = "/sys/a") -> DeviceNode {
    var node = DeviceNode(
      subsystem: .input, systemPath: "/sys/class/input/event\(number)",
      path: "/dev/input/event\(number)", number: number, parent: parent)
    node.attributes["name"] = name
    return node
  }

  @Test func whatTheFirstLookAndTheMonitorBothSawIsToldOnce() {
    var known = KnownNodes()
    let pad = node(3, name: "Pad")
    #expect(known.note(.added, pad) == [DeviceChange(.added, pad)])
    #expect(known.note(.added, pad) == [])
  }

  @Test func aRemovalTellsWhatWasThereAndOnlyOnce() {
    var known = KnownNodes()
    let pad = node(3, name: "Pad")
    _ = known.note(.added, pad)
    var bare = pad
    bare.attributes = [:]
    #expect(known.note(.removed, bare) == [DeviceChange(.removed, pad)])
    #expect(known.note(.removed, bare) == [])
    #expect(known.note(.added, pad) == [DeviceChange(.added, pad)])
  }

  @Test func anotherThingUnderTheSameNumberIsARemovalAndAnAddition() {
    var known = KnownNodes()
    let first = node(3, name: "Pad", parent: "/sys/a")
    let second = node(3, name: "Pad", parent: "/sys/b")
    _ = known.note(.added, first)
    #expect(
      known.note(.added, second) == [DeviceChange(.removed, first), DeviceChange(.added, second)])
  }

  @Test func newPermissionsOrPropertiesAreAChange() {
    var known = KnownNodes()
    var pad = node(3, name: "Pad")
    _ = known.note(.added, pad)
    #expect(known.note(.changed, pad) == [DeviceChange(.changed, pad)])
    pad.properties["ID_INPUT_JOYSTICK"] = "1"
    #expect(known.note(.added, pad) == [DeviceChange(.changed, pad)])
  }

  @Test func aSecondLookRemovesWhatIsGone() {
    var known = KnownNodes()
    let first = node(3, name: "Pad")
    let second = node(4, name: "Pad Motion Sensors")
    _ = known.note(.added, first)
    _ = known.note(.added, second)
    #expect(known.keep([second.systemPath]) == [DeviceChange(.removed, first)])
    #expect(known.keep([second.systemPath]) == [])
  }

  @Test func identityIsReadFromTheAttributes() {
    var pad = node(3, name: "Pad")
    pad.attributes["id/vendor"] = "054c"
    pad.attributes["id/product"] = "0ce6"
    pad.attributes["phys"] = "usb-1/input3"
    #expect(pad.vendor == 0x054c)
    #expect(pad.product == 0x0ce6)
    #expect(pad.version == 0)
    #expect(pad.socket == "usb-1/input3")
    pad.properties["ID_PATH"] = "pci-1"
    #expect(pad.socket == "pci-1")
  }
}
