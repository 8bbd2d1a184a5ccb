internal import Synchronization

/// The values of a `WidgetStore` as plain pointers, which the INPUT thread uses without counting references.
public struct WidgetCells: BitwiseCopyable, @unchecked Sendable {
  /// The number of widgets.
  public let count: Int
  private let scalings: UnsafeMutablePointer<WidgetScaling>
  private let values: UnsafeMutablePointer<Atomic<UInt64>>
  private let movers: UnsafeMutablePointer<Atomic<UInt8>>

  init(_ descriptions: [WidgetDescription]) {
    count = descriptions.count
    scalings = .allocate(capacity: count)
    values = .allocate(capacity: count)
    movers = .allocate(capacity: count)
    for (number, widget) in descriptions.enumerated() {
      let scaling = WidgetScaling(widget)
      (scalings + number).initialize(to: scaling)
      let start =
        widget.kind.followsGate
        ? (widget.defaultValue == 1 ? 1 : 0) : scaling.clamp(widget.defaultValue)
      (values + number).initialize(to: Atomic(start.bitPattern))
      (movers + number).initialize(to: Atomic(WidgetMover.nobody.code))
    }
  }

  func deallocate() {
    values.deinitialize(count: count)
    movers.deinitialize(count: count)
    scalings.deallocate()
    values.deallocate()
    movers.deallocate()
  }

  /// The value of widget `number`, in its units. Any thread.
  @_noLocks
  public func value(_ number: Int) -> Double {
    let end = count
    precondition(number >= 0 && number < end)
    return Double(bitPattern: values[number].load(ordering: .relaxed))
  }

  /// Who moved widget `number` last. Any thread.
  @_noLocks
  public func lastMover(_ number: Int) -> WidgetMover {
    let end = count
    precondition(number >= 0 && number < end)
    return WidgetMover(code: movers[number].load(ordering: .relaxed))
  }

  /// The range and scale of widget `number`. Any thread.
  @_noLocks
  public func scaling(_ number: Int) -> WidgetScaling {
    let end = count
    precondition(number >= 0 && number < end)
    return scalings[number]
  }

  /// Moves widget `number` to `value`, limited to its range, and returns the value that it has then. The writing thread only.
  ///
  /// A value that is not a number moves nothing.
  @_noLocks
  @discardableResult
  public func move(_ number: Int, to value: Double, by mover: WidgetMover) -> Double {
    let end = count
    precondition(number >= 0 && number < end)
    if value != value { return self.value(number) }
    let limited = scalings[number].clamp(value)
    values[number].store(limited.bitPattern, ordering: .relaxed)
    movers[number].store(mover.code, ordering: .relaxed)
    return limited
  }
}
