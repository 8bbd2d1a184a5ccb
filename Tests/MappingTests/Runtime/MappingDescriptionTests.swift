import Events
import Mapping
import Testing

/// A user is told to plug in what the mapping names, and not what Sonde would only take if it were there.
@Suite struct MappingDescriptionTests {
  private func route(_ device: Int, _ control: ControlID, _ channel: String) -> RouteDescription {
    RouteDescription(
      identity: channel, device: device, control: control, range: .bipolar,
      targets: [.channel(channel)])
  }

  @Test func theDeviceOfTheStandardChannelsIsNotNamed() {
    var mapping = MappingDescription(
      devices: [DeviceDeclaration(name: "pad", role: .declared(.gamepad))],
      routes: [route(0, .leftX, "pan")])
    mapping.addStandardChannels()
    #expect(mapping.devices.map(\.name) == ["pad", "motion"])
    #expect(mapping.namedDevices == ["pad"])
  }

  @Test func aLineNamesItsDevice() {
    var mapping = MappingDescription(
      devices: [DeviceDeclaration(name: "motion", role: .motion)],
      routes: [route(0, .gyroX, "turn")])
    mapping.addStandardChannels()
    #expect(mapping.namedDevices == ["motion"])
    #expect(MappingDescription().namedDevices.isEmpty)
  }

  @Test func standardChannelsLeaveOutWhatTheMappingFeeds() {
    var mapping = MappingDescription(
      devices: [DeviceDeclaration(name: "pad", role: .declared(.gamepad))],
      routes: [route(0, .leftX, "gyroY")])
    mapping.addStandardChannels()
    let fed = mapping.routes.filter(\.isImplicit).flatMap(\.targets)
    #expect(fed.count == 8 && !fed.contains(.channel("gyroY")))
  }
}
