/// Whose hand a widget followed last.
@frozen
public enum WidgetMover: Sendable, CaseIterable {
  /// Nobody moved it: it has its default.
  case nobody
  /// A line of the mapping.
  case mapping
  /// A hand on a panel, a command, or a take's `widget` line.
  case hand
  /// The orchestra, by writing its channel.
  case orchestra

  // The raw value by hand: the compiler's own accessors are closed to the INPUT thread.
  var code: UInt8 {
    @_noLocks get {
      switch self {
      case .nobody: return 0
      case .mapping: return 1
      case .hand: return 2
      case .orchestra: return 3
      }
    }
  }

  @_noLocks
  init(code: UInt8) {
    switch code {
    case 1: self = .mapping
    case 2: self = .hand
    case 3: self = .orchestra
    default: self = .nobody
    }
  }
}

/// The present values of a mapping's widgets: written by one thread, read by any.
///
/// Widgets are numbered as in the mapping. Lives without an engine.
public final class WidgetStore: Sendable {
  public let descriptions: [WidgetDescription]
  /// The values themselves, for threads that may not count references; they live as long as the store.
  public let cells: WidgetCells

  /// Widgets at their defaults.
  public init(_ descriptions: [WidgetDescription]) {
    self.descriptions = descriptions
    cells = WidgetCells(descriptions)
  }

  deinit { cells.deallocate() }

  /// The number of widgets.
  public var count: Int { cells.count }

  /// The value of widget `number`, in its units. Any thread.
  public func value(_ number: Int) -> Double { cells.value(number) }

  /// Who moved widget `number` last. Any thread.
  public func lastMover(_ number: Int) -> WidgetMover { cells.lastMover(number) }

  /// The number of the widget called `name`, or nil.
  public func number(named name: String) -> Int? {
    descriptions.firstIndex { $0.name == name }
  }
}
