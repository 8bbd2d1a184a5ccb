import Events
import Testing
import Widgets

/// If these fail, widgets forget where they are or leave their ranges.
struct WidgetStoreTests {
  private let store = WidgetStore([
    WidgetDescription(
      name: "cutoff", kind: .slider, range: ValueRange(60, 10000), defaultValue: 3000),
    WidgetDescription(name: "go", kind: .button, range: ValueRange(5, 9)),
  ])

  @Test func startsAtDefaults() {
    #expect(store.value(0) == 3000)
    // A button shows a gate, whatever its range says.
    #expect(store.value(1) == 0)
    #expect(store.lastMover(0) == .nobody)
    #expect(store.number(named: "go") == 1)
    #expect(store.number(named: "stop") == nil)
  }

  @Test func moveIsLimitedAndRemembersWho() {
    #expect(store.cells.move(0, to: 20000, by: .hand) == 10000)
    #expect(store.value(0) == 10000)
    #expect(store.lastMover(0) == .hand)
    #expect(store.cells.move(0, to: .nan, by: .mapping) == 10000)
    #expect(store.lastMover(0) == .hand)
    for mover in WidgetMover.allCases {
      store.cells.move(0, to: 100, by: mover)
      #expect(store.lastMover(0) == mover)
    }
  }
}
