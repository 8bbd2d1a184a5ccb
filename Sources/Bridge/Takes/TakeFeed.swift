import Events
import Mapping
import Widgets

/// Turns what a take holds into requests for the runtime, in order: events, and bindings as devices come and go.
///
/// The same for playing and for rendering; only who carries the requests out differs.
final class TakeFeed {
  /// What the user should know about the take.
  private(set) var notes: [String] = []

  private let reader: TakeReader
  private let roster: DeviceRoster
  private let widgets: [String: Int]
  private var descriptions: [DeviceIndex: DeviceDescription] = [:]
  /// Declared, and plugged in with the next frame.
  private var arriving: [DeviceIndex: DeviceDescription] = [:]
  private var hasToldOfMIDI = false
  private var hasToldOfCalibration = false

  /// - Parameter program: whose widgets the take's hands move.
  init(_ reader: TakeReader, roster: DeviceRoster, program: Program) {
    self.reader = reader
    self.roster = roster
    let names = program.description.widgets.map(\.name)
    widgets = Dictionary(names.enumerated().map { ($1, $0) }) { first, _ in first }
  }

  /// The name of the take in messages.
  var name: String { reader.name }

  /// The time of the last line read.
  var endTime: Nanoseconds { reader.endTime }

  /// Whether `next` has something without reading on: things of one time are read together.
  var hasNext: Bool { reader.hasNext }

  /// What comes next, or nil at the end of the take.
  ///
  /// - Throws: `TakeError` with the line that cannot be used.
  func next() throws(TakeError) -> [InputRequest]? {
    guard let item = try reader.next() else { return nil }
    switch item {
    case .device(let index, _, let description):
      descriptions[index] = description
      arriving[index] = description
      return []
    case .controls(let index, let description):
      descriptions[index] = description
      return roster.present[index] == nil ? [] : roster.set(index, description, at: endTime)
    case .frame(let events):
      // Not `endTime`: the line that ends a frame is later than it.
      let time = events.first?.time ?? endTime
      let bindings = arriving.isEmpty ? [] : roster.set(arriving, at: time)
      arriving.removeAll()
      return bindings + events.flatMap(requests(for:))
    case .widget(let time, let name, let value):
      guard let number = widgets[name] else { return [] }
      let control = ControlID(rawValue: UInt32(number))
      return [.event(ControlEvent(.widget, time: time, device: 0, control: control, value: value))]
    case .axis: return []
    case .calibration(_, let key, _):
      if !hasToldOfCalibration {
        notes.append("\(name): calibration ('\(key)') is not applied in this version.")
      }
      hasToldOfCalibration = true
      return []
    case .midi:
      if !hasToldOfMIDI { notes.append("\(name): its MIDI is left out in this version.") }
      hasToldOfMIDI = true
      return []
    case .note(let error):
      notes.append(error.description)
      return []
    }
  }

  /// Everything of the take that is still plugged in leaves: what it holds is released.
  func leave() -> [InputRequest] {
    descriptions.keys.sorted().filter { roster.present[$0] != nil }.flatMap { device in
      requests(for: ControlEvent(.unplugged, time: endTime, device: device))
    }
  }

  private func requests(for event: ControlEvent) -> [InputRequest] {
    switch event.kind {
    case .plugged:
      guard roster.present[event.device] == nil, let description = descriptions[event.device] else {
        return [.event(event)]
      }
      return roster.set(event.device, description, at: event.time) + [.event(event)]
    case .unplugged: return [.event(event)] + roster.remove(event.device, at: event.time)
    default: return [.event(event)]
    }
  }
}
