import DeviceWatch
import EvdevInput
import Events
import LabSupport
import LinuxIO
import Testing

extension Lab {
  /// Controllers come and go while people play; each must be back as fast as the system allows.
  @Suite struct PlugAndUnplug {
    @Test func aPadIsAnnouncedWhenUdevHasAndLeavesAtOnce() throws {
      let monitor = try DeviceMonitor()
      #expect(monitor.source == .udev)
      _ = monitor.changes()
      let pad = try VirtualDualSense()
      let plugged = try changes(of: monitor) { $0.count >= 3 }
      let arrival = try pad.waitForNodes()
      #expect(plugged.changes.allSatisfy { $0.action == .added })
      #expect(Set(plugged.changes.map(\.node.path)) == Set(arrival.nodes.map(\.path)))
      // One HID device unites pad, motion sensors and touchpad.
      #expect(Set(plugged.changes.map(\.node.parent)).count == 1)
      #expect(plugged.changes.allSatisfy { $0.node.uniq == pad.uniq })
      #expect(plugged.changes.allSatisfy { $0.node.driver == "playstation" })

      let recordings = try arrival.nodes.map { try NodeRecording($0) }
      let pulled = monotonicNow()
      pad.unplug()
      for recording in recordings { #expect(recording.read { $0.isGone }) }
      let left = try changes(of: monitor) { $0.count >= 3 }
      #expect(left.changes.allSatisfy { $0.action == .removed })
      report(
        "unplugged: told \((Double(left.time - pulled) / 1e6).text(decimals: 0)) ms after the pull")
      #expect(left.time - pulled < 2_000_000_000)
    }

    @Test func aReplugWithAnotherNumberIsTheSamePad() throws {
      let monitor = try DeviceMonitor()
      _ = monitor.changes()
      var numbers: Set<Int> = []
      var placeholders: [VirtualInputDevice] = []
      for round in 0..<3 {
        let pad = try VirtualDualSense()
        let arrival = try pad.waitForNodes()
        let plugged = try changes(of: monitor) { changes in
          changes.count { $0.action == .added && $0.node.uniq == pad.uniq } >= 3
        }
        let later = max(0, Double(plugged.time - arrival.udevTime))
        report(
          "replug \(round): udev took \((arrival.udevDelay * 1000).text(decimals: 0)) ms, Sonde told it "
            + "\((1 + later / 1e9 / arrival.udevDelay).text(decimals: 2)) times that after the kernel"
        )
        #expect(later < 2e9)
        let node = try #require(arrival.pad)
        numbers.insert(node.number)
        let recording = try NodeRecording(node)
        try pad.send { $0.leftX = 255 }
        #expect(recording.read { $0.values(.leftX).last == 1 })
        pad.unplug()
        try Arrival.waitUntilGone(arrival.nodes)
        // Takes the number that has become free, so that the next pad gets another.
        placeholders.append(try VirtualInputDevice(.keyboard()))
        _ = try placeholders[round].waitForNode()
        _ = monitor.changes()
      }
      #expect(numbers.count == 3)
      for placeholder in placeholders { placeholder.unplug() }
    }

    @Test func manyReplugsLeaveNothingBehind() throws {
      let monitor = try DeviceMonitor()
      _ = monitor.changes()
      let cycles = Repetition.count(of: 50)
      var delays: [Double] = []
      var filesBefore = 0
      // The first cycle loads what is loaded once.
      for cycle in 0...cycles {
        if cycle == 1 { filesBefore = openFiles() }
        let pad = try VirtualDualSense()
        let arrival = try pad.waitForNodes()
        let recording = try NodeRecording(#require(arrival.pad))
        try pad.send { $0.buttons = .cross }
        #expect(recording.read { $0.values(.south) == [1] })
        pad.unplug()
        #expect(recording.read { $0.isGone })
        try Arrival.waitUntilGone(arrival.nodes)
        delays.append(arrival.udevDelay * 1000)
      }
      #expect(openFiles() == filesBefore)
      report(
        "\(cycles + 1) replugs; udev took \(delays.min()!.text(decimals: 0)) to "
          + "\(delays.max()!.text(decimals: 0)) ms")
    }

    private func openFiles() -> Int { TextFiles.names(in: "/proc/self/fd").count }
  }
}
