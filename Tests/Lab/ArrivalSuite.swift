import Glibc
import LabSupport
import LinuxIO
import Testing

extension Lab {
  /// Nothing has to be plugged in first, and a node whose permissions come late is no reason to start again.
  @Suite struct Arrivals {
    private static let csd = LabOrchestra.csd(LabOrchestra.shows("left"))
    private static let map = """
      device pad gamepad
      pad.left.x -> left

      """
    private static let rule = "/run/udev/rules.d/99-lab-locked.rules"

    @Test func aPadMayComeAfterTheStart() throws {
      let sonde = try PlayingSonde(csd: Self.csd, map: Self.map)
      #expect(sonde.waitForSentence { $0.hasPrefix("Waiting for: pad") } != nil)
      pause(seconds: 2)
      let pad = try VirtualDualSense()
      let arrival = try pad.waitForNodes()
      try pad.send { $0.leftX = 204 }
      let value = sonde.waitForValue("left", 0.6, within: 1 / 127.5)
      reportDelay(
        "first plug, to the first value printed", from: arrival.kernelTime, to: monotonicNow(),
        udevDelay: arrival.udevDelay)
      #expect(value != nil, "\(sonde.process.errors.all)")
      #expect(sonde.waitForSentence { $0.hasPrefix("+ ") && $0.contains("): pad") } != nil)
      pad.unplug()
      try Arrival.waitUntilGone(arrival.nodes)
      sonde.stop()
    }

    @Test func aNodeThatBecomesReadableIsUsedWithoutAWord() throws {
      let sonde = try PlayingSonde(
        csd: Self.csd, map: Self.map, user: .nobody(groups: ["input"]))
      try withLockedNodes {
        let before = sonde.deviceSentences.count
        let pad = try VirtualInputDevice(.gamepad(name: "Lab Locked Gamepad"))
        let node = try #require(pad.waitForNode().nodes.first)
        #expect(node.permissions?.mode == 0)
        pause(seconds: 1)
        chmod(node.path, 0o660)
        let opened = monotonicNow()
        try pad.send(.axis(0, 32_767))
        #expect(sonde.waitForValue("left", 1, within: 0) == 1, "\(sonde.process.errors.all)")
        let seconds = Double(monotonicNow() - opened) / 1e9
        report("readable after 1 s: used \(seconds.text(decimals: 2)) s later")
        // Retried every 2 s at the latest.
        #expect(seconds < 4)
        try #require(sonde.waitForSentence { $0.hasPrefix("+ Lab Locked") } != nil)
        #expect(sonde.deviceSentences.count == before + 1, "\(sonde.process.errors.all)")
        pad.unplug()
        try Arrival.waitUntilGone([node])
      }
      sonde.stop()
    }

    @Test func aNodeThatStaysUnreadableIsToldOnceWithTheRemedy() throws {
      let sonde = try PlayingSonde(
        csd: Self.csd, map: Self.map, user: .nobody(groups: ["input"]))
      try withLockedNodes {
        let before = sonde.deviceSentences.count
        let pad = try VirtualInputDevice(.gamepad(name: "Lab Locked Gamepad"))
        let node = try #require(pad.waitForNode().nodes.first)
        let told = try #require(
          sonde.waitForSentence { $0.contains(node.path) },
          "\(sonde.process.errors.all)")
        #expect(told.text.contains("Lab Locked Gamepad") && told.text.contains("permission"))
        #expect(told.text.contains("usermod -aG input"))
        // Two more of the longest intervals between tries.
        pause(seconds: 4.5)
        #expect(sonde.deviceSentences.count == before + 1, "\(sonde.process.errors.all)")
        pad.unplug()
        try Arrival.waitUntilGone([node])
      }
      sonde.stop()
    }

    /// Lets udev give nodes of "Lab Locked Gamepad" to nobody, as long as `body` runs.
    private func withLockedNodes(_ body: () throws -> Void) throws {
      try TextFiles.write(
        """
        SUBSYSTEM=="input", KERNEL=="event*", ATTRS{name}=="Lab Locked Gamepad", MODE="0000"

        """, to: Self.rule)
      defer { unlink(Self.rule) }
      // udevd looks for changed rules at the first event after 3 s without a look.
      pause(seconds: 3.5)
      try body()
    }
  }
}
