import Glibc
import LabSupport
import Testing

extension Lab {
  /// Without the rule a player at the machine cannot read the motion sensors, and nothing says why.
  @Suite struct UdevRules {
    private static let installed = "/run/udev/rules.d/70-sonde.rules"
    private static let aside = "/run/udev/70-sonde.rules.aside"

    @Test func openTheMotionNodeToTheSeatAndToGroupInput() throws {
      try #require(access(Self.installed, F_OK) == 0, "udev/70-sonde.rules is not installed")
      let motion = try plugAndReadMotionNode()
      #expect(motion.tags.contains("uaccess"))
      #expect(motion.mode == 0o660)
      #expect(motion.group == "input")
      // ACCELEROMETER alone: a joystick tag would show games a phantom stick.
      #expect(motion.properties.contains("ID_INPUT_ACCELEROMETER=1"))
      #expect(!motion.properties.contains("ID_INPUT_JOYSTICK=1"))
    }

    @Test func areNeeded() throws {
      try #require(rename(Self.installed, Self.aside) == 0)
      defer {
        rename(Self.aside, Self.installed)
        reloadRules()
      }
      reloadRules()
      let motion = try plugAndReadMotionNode()
      #expect(!motion.tags.contains("uaccess"))
    }

    @Test func leaveKeyboardsAndMiceAlone() throws {
      for profile in [VirtualInputDevice.Profile.keyboard(), .mouse()] {
        let device = try VirtualInputDevice(profile)
        let node = try #require(device.waitForNode().nodes.first)
        #expect(!node.tags.contains("uaccess"), "\(profile.name)")
        device.unplug()
        try Arrival.waitUntilGone([node])
      }
    }

    private func reloadRules() {
      let reload = try? ChildProcess(["udevadm", "control", "--reload"])
      #expect(reload?.waitForEnd(seconds: 10) == .exited(0))
    }

    private func plugAndReadMotionNode() throws -> (
      tags: [String], properties: [String], mode: UInt32, group: String
    ) {
      let pad = try VirtualDualSense()
      let arrival = try pad.waitForNodes()
      let node = try #require(arrival.motion)
      let permissions = try #require(node.permissions)
      let group = try #require(getgrgid(permissions.group)?.pointee.gr_name)
      let result = (
        node.tags, node.udevProperties, permissions.mode, String(cString: group)
      )
      pad.unplug()
      try Arrival.waitUntilGone(arrival.nodes)
      return result
    }
  }
}
