import Glibc
import LabSupport
import Testing

extension Lab {
  /// Without the rule a player at the machine cannot read the motion sensors, and nothing says why.
  @Suite struct UdevRules {
    private static let installed = "/run/udev/rules.d/70-sonde.rules"
    private static let aside = "/run/udev/70-sonde.rules.aside"

    @Test func openMotionSensorsAndTouchpadToTheSeatAndToGroupInput() throws {
      let found = access(Self.installed, F_OK)
      try #require(found == 0, "udev/70-sonde.rules is not installed")
      let (motion, touchpad) = try plugAndRead()
      for node in [motion, touchpad] {
        #expect(node.tags.contains("uaccess"))
        #expect(node.mode == 0o660)
        #expect(node.group == "input")
      }
      // ACCELEROMETER alone: a joystick tag would show games a phantom stick.
      #expect(motion.properties.contains("ID_INPUT_ACCELEROMETER=1"))
      #expect(!motion.properties.contains("ID_INPUT_JOYSTICK=1"))
    }

    @Test func areNeeded() throws {
      let renamed = rename(Self.installed, Self.aside)
      try #require(renamed == 0)
      defer {
        rename(Self.aside, Self.installed)
        waitForUdevToSeeItsRules()
      }
      waitForUdevToSeeItsRules()
      let (motion, touchpad) = try plugAndRead()
      #expect(!motion.tags.contains("uaccess") && !touchpad.tags.contains("uaccess"))
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

    /// Lets udevd see that its rules have changed: it looks at the first event after 3 s without a look.
    ///
    /// Not by `udevadm control --reload`: udevd 252 takes some of its messages for those of uid 65534 ("Invalid sender
    /// uid"), ignores them, and udevadm ends with 0 all the same.
    private func waitForUdevToSeeItsRules() { pause(seconds: 3.5) }

    private struct Node {
      let tags: [String]
      let properties: [String]
      let mode: UInt32
      let group: String

      init(_ node: InputNode?) throws {
        let node = try #require(node)
        let permissions = try #require(node.permissions)
        let name = try #require(getgrgid(permissions.group)?.pointee.gr_name)
        tags = node.tags
        properties = node.udevProperties
        mode = permissions.mode
        group = String(cString: name)
      }
    }

    private func plugAndRead() throws -> (motion: Node, touchpad: Node) {
      let pad = try VirtualDualSense()
      let arrival = try pad.waitForNodes()
      let nodes = try (Node(arrival.motion), Node(arrival.touchpad))
      pad.unplug()
      try Arrival.waitUntilGone(arrival.nodes)
      return nodes
    }
  }
}
