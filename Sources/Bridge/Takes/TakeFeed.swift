import Events
import Mapping

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

  /// - Parameter widgets: the numbers of the mapping's widgets, by name.
  init(_ reader: TakeReader, roster: DeviceRoster, widgets: [String: Int]) {
    self.reader = reader
    self.roster = roster
    self.widgets = widgets
  }

  /// The name of the take in messages.
  var name: String { reader.name }

  /// The time of the last line read.
  var endTime: Nanoseconds { reader.endTime }

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
      return roster.present[index] == nil ? [] : roster.set(index, description)
    case .frame(let events):
      let bindings = arriving.isEmpty ? [] : roster.set(arriving)
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

  private func requests(for event: ControlEvent) -> [InputRequest] {
    switch event.kind {
    case .plugged:
      guard roster.present[event.device] == nil, let description = descriptions[event.device] else {
        return [.event(event)]
      }
      return roster.set(event.device, description) + [.event(event)]
    case .unplugged: return [.event(event)] + roster.remove(event.device)
    default: return [.event(event)]
    }
  }
}
