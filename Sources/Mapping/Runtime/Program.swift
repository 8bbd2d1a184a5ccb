public import Events
public import Widgets

/// A compiled mapping: flat arrays for the INPUT thread, and the patch that tells the engine what its slots mean.
///
/// Compiled on CONTROL, used by INPUT after `Runtime.install`, freed on CONTROL once another one is installed and the
/// engine has switched too. Only the values that it remembers change.
public final class Program: @unchecked Sendable {
  /// What a slot of the patch is called in traces and lists.
  public struct SlotName: Sendable, Equatable {
    /// The channel, or `note INSTRUMENT`.
    public var target: String
    /// Whether only lines that Sonde added by itself feed it.
    public var isImplicit: Bool
  }

  /// Counts the programs of one run from 1.
  public let generation: Int
  public let description: MappingDescription
  public let patch: EnginePatch
  /// The names of the patch's slots, by number; empty for free ones.
  public let slotNames: [SlotName]
  /// The widgets by the mapping's numbers. INPUT moves them once the program is installed.
  public let widgets: WidgetStore

  let tables: ProgramTables
  let assignments: ProgramSlots
  private let deallocations: [() -> Void]

  /// Compiles `description`.
  ///
  /// - Parameter previous: the program whose lines, channels and widgets go on where the new one has the same.
  public init(_ description: MappingDescription, after previous: Program? = nil) {
    self.description = description
    generation = (previous?.generation ?? 0) + 1
    let compiler = ProgramCompiler(description, after: previous)
    assignments = compiler.slots
    slotNames = compiler.slotNames
    widgets = WidgetStore(description.widgets)
    patch = EnginePatch(
      generation: generation, slots: compiler.engineSlots,
      initialValues: compiler.initialValues(after: previous, widgets))
    (tables, deallocations) = compiler.makeTables(
      generation: generation, widgets, after: previous)
  }

  deinit {
    for deallocate in deallocations { deallocate() }
  }

  /// The number of the device that the mapping calls `name`, or nil.
  public func deviceNumber(named name: String) -> Int? {
    description.devices.firstIndex { $0.name == name }
  }
}
