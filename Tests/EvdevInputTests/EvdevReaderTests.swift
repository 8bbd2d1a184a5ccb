import EvdevInput
import Events
import LinuxIO
import Testing

/// Who loses one of these is not told why a device is silent. Reading itself is tested beside the kernel's drivers.
@Suite struct EvdevReaderTests {
  @Test func aNodeThatIsNotThereIsNamed() {
    let error = #expect(throws: EvdevError.self) {
      _ = try EvdevReader(path: "/dev/input/event9999", device: 0, number: 9999)
    }
    #expect(error?.description == "/dev/input/event9999 does not exist (open: ENOENT)")
  }

  @Test func whatIsNoEventNodeIsNamed() {
    let error = #expect(throws: EvdevError.self) {
      _ = try EvdevReader(path: "/dev/null", device: 0, number: 0)
    }
    #expect(error?.description == "/dev/null is not an event node (ENOTTY)")
  }

  @Test func nodesAreOpenedTheWayTheCallerSays() {
    var opened: [String] = []
    let error = #expect(throws: EvdevError.self) {
      _ = try EvdevReader(
        path: "/dev/input/event1", device: 0, number: 1,
        open: { path throws(SystemError) in
          opened.append(path)
          throw SystemError(.noPermission, call: "open", path: path)
        })
    }
    #expect(opened == ["/dev/input/event1"])
    guard case .cannotOpen(let cause) = error else {
      Issue.record("another error")
      return
    }
    #expect(cause.number == .noPermission)
  }
}
