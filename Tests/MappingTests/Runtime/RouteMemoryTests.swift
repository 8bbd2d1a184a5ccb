import Events
import Testing

@testable import Mapping

/// If these fail, an event of a large mapping costs more than it must, or meets the wrong lines.
struct RouteMemoryTests {
  private func entry(_ control: ControlID, device: Int32 = 0, cell: Int32) -> RouteEntry {
    var entry = RouteEntry(control, other: control)
    entry.device = device
    entry.targetCount = 1
    entry.firstTarget = TargetEntry(.channel, slot: cell, cell: cell)
    return entry
  }

  private func layout(
    _ entries: [RouteEntry], more: [TargetEntry] = [], devices: Int = 2, slots: Int
  ) -> (RouteLayout, [TargetEntry]) {
    var more = more
    let layout = RouteLayout(
      entries, moreTargets: &more, deviceCount: devices, slotCount: slots)
    return (layout, more)
  }

  /// The cells of the lines that listen to a control, in their order.
  private func cells(_ memory: RouteMemory, _ device: Int, _ control: ControlID) -> [Int32] {
    var found: [Int32] = []
    var listener = memory.listener(device: device, control)
    while let route = listener {
      found.append(route.pointee.firstTarget.cell)
      listener = memory.next(after: route)
    }
    return found
  }

  @Test func allAboutALineIsInOneCacheLine() throws {
    #expect(MemoryLayout<RouteEntry>.stride == 64)
    #expect(MemoryLayout<RouteEntry>.offset(of: \.firstTarget) == RouteEntry.firstTargetOffset)
    #expect(MemoryLayout<RouteEntry>.offset(of: \.slotState) == RouteEntry.slotStateOffset)
    let raw = ControlID.raw(.pad, type: 3, code: 7)
    let (layout, _) = layout([entry(.leftX, cell: 0), entry(raw, cell: 1)], slots: 2)
    defer { layout.memory.deallocate() }
    for control in [ControlID.leftX, raw] {
      let route = try #require(layout.memory.listener(device: 0, control))
      #expect(UInt(bitPattern: route) % 64 == 0)
      // The state of a channel that one line feeds is in the line's own.
      let state = layout.memory.state(route.pointee.firstTarget.place)
      #expect(UInt(bitPattern: state) == UInt(bitPattern: route) + 48)
    }
  }

  @Test func everyControlFindsItsLinesInTheirOrder() {
    // More raw codes than would fall into different places by chance, each on two devices.
    let codes = (0..<500).map { ControlID.raw(.pad, type: 1, code: UInt16($0 * 16)) }
    var entries: [RouteEntry] = []
    for (number, code) in codes.enumerated() {
      entries.append(entry(code, device: 1, cell: Int32(number)))
      entries.append(entry(code, device: 0, cell: Int32(500 + number)))
    }
    entries.append(entry(codes[3], device: 1, cell: 1000))
    entries.append(entry(.south, cell: 1001))
    entries.append(entry(codes[3], device: 1, cell: 1002))
    entries.append(entry(.south, cell: 1003))
    let (layout, _) = layout(entries, slots: 1004)
    defer { layout.memory.deallocate() }
    for (number, code) in codes.enumerated() {
      let expected = number == 3 ? [3, 1000, 1002] : [Int32(number)]
      #expect(cells(layout.memory, 1, code) == expected)
      #expect(cells(layout.memory, 0, code) == [Int32(500 + number)])
    }
    #expect(cells(layout.memory, 0, .south) == [1001, 1003])
    #expect(cells(layout.memory, 1, .south) == [])
    #expect(cells(layout.memory, 0, .raw(.pad, type: 1, code: 1)) == [])
    for (number, entry) in entries.enumerated() {
      let own = layout.memory.route(number).pointee.firstTarget.cell
      #expect(own == entry.firstTarget.cell, "line \(number)")
    }
  }

  @Test func everySlotHasAStateOfItsOwnWhereverItLies() {
    let more = [TargetEntry(.channel, slot: 3, cell: 3), TargetEntry(.channel, slot: 5, cell: 0)]
    let (layout, placed) = layout(
      [entry(.leftX, cell: 0), entry(.leftY, cell: 0), entry(.rightX, cell: 2)], more: more,
      slots: 9)
    defer { layout.memory.deallocate() }
    #expect(Set(layout.slotPlaces).count == 9)
    for slot in 0..<9 {
      layout.memory.state(layout.slotPlaces[slot]).pointee.value = Double(slot)
    }
    for slot in 0..<9 {
      #expect(layout.memory.state(layout.slotPlaces[slot]).pointee.value == Double(slot))
    }
    // Two lines to one channel look at one state.
    for control in [ControlID.leftX, .leftY] {
      let place = layout.memory.listener(device: 0, control)?.pointee.firstTarget.place
      #expect(place == layout.slotPlaces[0])
    }
    #expect(placed.map(\.place) == [layout.slotPlaces[3], layout.slotPlaces[0]])
    #expect(layout.memory.listener(device: 0, .rightY) == nil, "no state may overwrite an entry")
  }
}
