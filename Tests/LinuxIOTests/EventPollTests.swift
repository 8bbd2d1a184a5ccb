import Glibc
import LinuxIO
import Testing

/// Who loses one of these has input that hangs, or that is taken from the wrong device after a replug.
@Suite struct EventPollTests {
  @Test func whatIsReadyIsGivenWithItsTag() throws {
    let poll = try EventPoll()
    let wakeUp = try WakeUp()
    let registration = try poll.add(wakeUp.descriptor, tag: 77)
    poll.wait(milliseconds: 0)
    #expect(poll.next() == nil)
    wakeUp.signal()
    wakeUp.signal()
    poll.wait()
    let event = poll.next()
    #expect(event?.tag == 77)
    #expect(event?.registration == registration)
    #expect(event?.readiness == .readable)
    #expect(poll.next() == nil)
    wakeUp.clear()
    poll.wait(milliseconds: 0)
    #expect(poll.next() == nil)
  }

  @Test func anEventCollectedForAClosedDescriptorIsNotItsSuccessors() throws {
    let poll = try EventPoll()
    let first = try WakeUp()
    let old = try poll.add(first.descriptor, tag: 1)
    first.signal()
    poll.wait()
    // Collected, not yet taken; meanwhile the device goes and another takes its place, silent.
    poll.remove(old)
    let second = try WakeUp()
    let new = try poll.add(second.descriptor, tag: 2)
    #expect(new != old)
    #expect(poll.next() == nil)
    poll.remove(old)
    second.signal()
    poll.wait()
    #expect(poll.next()?.tag == 2)
  }

  @Test func aClosedOtherSideIsHungUp() throws {
    let poll = try EventPoll()
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    let reader = FileDescriptor(owning: ends[0])
    let registration = try poll.add(reader.number, tag: 5)
    close(ends[1])
    poll.wait()
    #expect(poll.next()?.readiness == .hungUp)
    poll.remove(registration)
  }

  @Test func aFullTableAndABadDescriptorAreErrors() throws {
    let poll = try EventPoll(capacity: 1)
    let wakeUp = try WakeUp()
    #expect(throws: ErrorNumber(rawValue: EBADF)) { try poll.add(-1, tag: 0) }
    let registration = try poll.add(wakeUp.descriptor, tag: 0)
    #expect(throws: ErrorNumber.outOfSpace) { try poll.add(0, tag: 0) }
    poll.remove(registration)
    _ = try poll.add(wakeUp.descriptor, tag: 0)
  }

  @Test func anAlarmRingsAtItsTimeAndAPassedOneAtOnce() throws {
    let poll = try EventPoll()
    let alarm = try AlarmTimer()
    _ = try poll.add(alarm.descriptor, tag: 9)
    let due = monotonicNow() + 5_000_000
    alarm.set(at: due)
    poll.wait()
    #expect(poll.next()?.tag == 9)
    #expect(monotonicNow() >= due)
    #expect(alarm.clear() == 1)
    alarm.set(at: 0)
    poll.wait()
    #expect(poll.next()?.tag == 9)
    alarm.cancel()
    poll.wait(milliseconds: 0)
    #expect(poll.next() == nil)
  }

  @Test func descriptorsAreClosedWithTheirOwners() throws {
    let folder = try TemporaryFolder("sonde-test")
    func useAll() throws {
      let poll = try EventPoll()
      let wakeUp = try WakeUp()
      let alarm = try AlarmTimer()
      let watch = try FolderWatch()
      try watch.watch(folder.path)
      _ = try poll.add(wakeUp.descriptor, tag: 0)
      _ = try poll.add(alarm.descriptor, tag: 0)
      let writer = try FileWriter(folder.file("x"))
      try writer.write("x")
    }
    // Other suites open descriptors meanwhile; a leak would add five each round.
    let before = ProcessCounts.openDescriptors
    for _ in 0..<100 { try useAll() }
    #expect(ProcessCounts.openDescriptors < before + 100)
    #expect(before > 2)
  }
}
