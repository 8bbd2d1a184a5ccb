import DeviceWatch
import EvdevInput
import Events
import Mapping
import Testing

@testable import Bridge

/// If these fail, one pad shows as three devices, or as none.
@Suite struct DeviceInventoryTests {
  static let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]

  @Test(arguments: orders) func nodesOfOnePadAreOneDeviceInEveryOrder(_ order: [Int]) throws {
    var inventory = DeviceInventory()
    let nodes = [TestNodes.pad(5), TestNodes.motion(6), TestNodes.touchpad(7)]
    var indices: Set<DeviceIndex> = []
    for number in order {
      indices.insert(try inventory.added(nodes[number]).index)
    }
    #expect(indices.count == 1)
    let device = try #require(inventory.devices.values.first)
    #expect(inventory.devices.count == 1 && device.nodes.count == 3)
    #expect(device.description.kind == .gamepad)
    #expect(device.description.name == "DualSense Wireless Controller")
    #expect(device.description.model == "dualsense")
    #expect(device.description.uniq == "uniq-pad1")
    for control in ["left", "right", "dpad", "south", "accelerometer", "gyro", "touch"] {
      #expect(device.description.controls.contains(control))
    }
  }

  @Test func motionAloneIsAPartOfAPad() throws {
    var inventory = DeviceInventory()
    let device = try inventory.added(TestNodes.motion(6))
    #expect(device.description.kind == .gamepad)
    #expect(device.description.controls == ["accelerometer", "gyro"])
  }

  @Test func keyboardsAndMiceAreNoDevices() {
    var inventory = DeviceInventory()
    #expect(inventory.add(TestNodes.keyboard(0)) == nil)
    #expect(inventory.add(TestNodes.mouse(1)) == nil)
    #expect(inventory.devices.isEmpty)
  }

  @Test func theSameNodeTwiceIsOneNode() throws {
    var inventory = DeviceInventory()
    _ = inventory.add(TestNodes.pad(5))
    let device = try inventory.added(TestNodes.pad(5))
    #expect(device.nodes.count == 1 && inventory.devices.count == 1)
  }

  @Test func aDeviceStaysWhileAPartOfItIsThere() throws {
    var inventory = DeviceInventory()
    _ = inventory.add(TestNodes.pad(5))
    _ = inventory.add(TestNodes.motion(6))
    let rest = try inventory.removed(TestNodes.pad(5).systemPath)
    #expect(rest.description.name == "DualSense Wireless Controller")
    #expect(rest.description.controls == ["accelerometer", "gyro"])
    #expect(inventory.devices[rest.index] != nil)
    #expect(inventory.remove(TestNodes.pad(5).systemPath) == nil)
    _ = inventory.remove(TestNodes.motion(6).systemPath)
    #expect(inventory.devices.isEmpty)
  }

  @Test func thereAreAsManyDevicesAsThereAreNumbers() throws {
    var inventory = DeviceInventory(capacity: 2)
    let first = try inventory.added(TestNodes.pad(1, of: "a"))
    #expect(inventory.add(TestNodes.pad(2, of: "b")) != nil)
    #expect(inventory.add(TestNodes.pad(3, of: "c")) == nil)
    // A part of a device that is there needs no number.
    #expect(inventory.add(TestNodes.motion(4, of: "b")) != nil)
    _ = inventory.remove(TestNodes.pad(1, of: "a").systemPath)
    #expect(inventory.add(TestNodes.pad(3, of: "c"))?.index == first.index)
  }

  /// What a device did last may still be under way when the next one comes: it must not count as the next one's.
  @Test func aNumberRestsBeforeItIsUsedAgain() throws {
    var inventory = DeviceInventory()
    let first = try inventory.added(TestNodes.pad(1, of: "a")).index
    _ = inventory.remove(TestNodes.pad(1, of: "a").systemPath)
    #expect(try inventory.added(TestNodes.pad(1, of: "b")).index != first)
  }

  /// `model=` suggests what the driver knows, and nothing else.
  @Test func theLanguageKnowsTheDriversModels() {
    #expect(Set(DeviceTable.models) == Set(knownModelNames))
    #expect(DeviceTable.models.count == knownModelNames.count)
  }
}

extension DeviceInventory {
  fileprivate mutating func added(_ node: DeviceNode) throws -> Device {
    let device = add(node)
    return try #require(device)
  }

  fileprivate mutating func removed(_ systemPath: String) throws -> Device {
    let device = remove(systemPath)
    return try #require(device)
  }
}
