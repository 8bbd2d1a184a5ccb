/// The stable name of a kind of mistake: what `sonde check --explain` takes.
public enum DiagnosticID: String, Sendable, CaseIterable {
  // Text
  case notText = "not-text"
  case unclosedQuote = "unclosed-quote"
  case badEscape = "bad-escape"
  case unexpectedCharacter = "unexpected-character"
  case badNumber = "bad-number"
  case unknownUnit = "unknown-unit"
  case badBraces = "bad-braces"
  case unequalBraces = "unequal-braces"
  // Statements
  case unknownStatement = "unknown-statement"
  case badStatement = "bad-statement"
  case badName = "bad-name"
  case reservedName = "reserved-name"
  case missingTarget = "missing-target"
  // Files
  case unreadableFile = "unreadable-file"
  case includeCycle = "include-cycle"
  case emptyInclude = "empty-include"
  case secondCSD = "second-csd"
  // Names
  case duplicateName = "duplicate-name"
  case duplicateAttribute = "duplicate-attribute"
  case unknownDevice = "unknown-device"
  case unknownDeviceKind = "unknown-device-kind"
  case unknownWidget = "unknown-widget"
  case unknownWidgetKind = "unknown-widget-kind"
  case unknownLayer = "unknown-layer"
  case unknownAttribute = "unknown-attribute"
  case unknownModel = "unknown-model"
  case unknownControl = "unknown-control"
  case unknownStage = "unknown-stage"
  case unknownScale = "unknown-scale"
  case unknownTarget = "unknown-target"
  case nearlyAWidget = "nearly-a-widget"
  // Values
  case badArgument = "bad-argument"
  case badValue = "bad-value"
  case missingUnit = "missing-unit"
  case wrongUnit = "wrong-unit"
  case emptyRange = "empty-range"
  case logRange = "log-range"
  case angleBounds = "angle-bounds"
  case defaultOutside = "default-outside"
  // Structure
  case stageOrder = "stage-order"
  case targetCount = "target-count"
  case notATarget = "not-a-target"
  case loop = "loop"
  case sharedChannel = "shared-channel"
  case notInThisVersion = "not-in-this-version"

  /// What the mistake is and what to do about it, in a few sentences.
  public var explanation: String {
    switch self {
    case .notText:
      "A mapping is UTF-8 text. Bytes that are no UTF-8, or a zero byte, mean that this is another kind of file or another encoding; save it as UTF-8."
    case .unclosedQuote:
      "A quoted text ends at the next \" of the same line. A quote inside it is written \\\"."
    case .badEscape: "Inside quotes a backslash is followed by \" or by another backslash."
    case .unexpectedCharacter: "This character has no meaning at this place of a mapping."
    case .badNumber:
      "Numbers are written -1.57 or 1e3, with a digit on both sides of the dot, so that 0..1 reads as 0 to 1."
    case .unknownUnit: "The units are ms s Hz dB deg g, written right behind the number: 20ms."
    case .badBraces:
      "Braces outside quotes repeat a line: {1..4} counts and {a,b,c} lists. They are not nested."
    case .unequalBraces:
      "All braces of one line advance together, so each must name the same number of items."
    case .unknownStatement:
      "A line begins with csd, include, device, widget or layer, or it is a route: source -> target."
    case .badStatement:
      "Something that this kind of line needs is missing, or something is too much."
    case .badName:
      "A name is made of letters, digits, _ and single inner dots and starts with no digit; any other name is put in quotes."
    case .reservedName:
      "Words of the language are no names unless they are quoted. A channel of such a name is written: channel mute."
    case .missingTarget: "A route says where the value goes: source -> target."
    case .unreadableFile: "The file could not be read; the message says why."
    case .includeCycle:
      "Files that include each other in a circle have no order. Remove one include."
    case .emptyInclude: "The included file holds no statement, so the line does nothing."
    case .secondCSD:
      "A mapping names one CSD, over all its files. A CSD on the command line wins over it."
    case .duplicateName:
      "Devices, widgets and layers share one set of names, and each name is declared once, over all files."
    case .duplicateAttribute: "An attribute is given once in a statement."
    case .unknownDevice:
      "Devices are declared by `device NAME KIND`; gamepad, imu, midi and motion are always there."
    case .unknownDeviceKind: "The kinds of devices are gamepad, imu, midi and evdev."
    case .unknownWidget: "Widgets are declared by `widget KIND NAME`."
    case .unknownWidgetKind:
      "The kinds of widgets are slider, knob, button, momentary, switch, number, label, xy, keyboard and meter."
    case .unknownLayer: "Layers are declared by `layer NAME = CONTROL`."
    case .unknownAttribute: "This kind of statement has no attribute of this name."
    case .unknownModel: "`model=` takes the names of known devices; any other is found by `name=`."
    case .unknownControl: "This kind of device has no control of this name."
    case .unknownStage: "There is no stage of this name."
    case .unknownScale:
      "There is no musical scale of this name; any scale can be given by its steps: scale \"0 2 3 7\"."
    case .unknownTarget:
      "A target is a name, or one of channel, widget, note, event, midi, feedback, recenter, panic and mute with what belongs to it."
    case .nearlyAWidget:
      "A target that is not declared as a widget is a plain channel. This one differs from a widget by very little; `channel NAME` says that it is meant."
    case .badArgument: "A stage or target has an argument too few, too many, or of the wrong kind."
    case .badValue: "The value lies outside of what is possible here."
    case .missingUnit: "A time is written with its unit: 20ms or 0.5s."
    case .wrongUnit: "The unit does not fit what is asked for at this place."
    case .emptyRange: "A range runs from its lower end to its higher end and the two differ."
    case .logRange: "Equal ratios need both ends above 0."
    case .angleBounds:
      "Angles are in radians. A bound beyond a whole turn (6.2832) is taken for degrees, which are written with deg: -180deg..180deg."
    case .defaultOutside: "A widget's default lies between its min and its max."
    case .stageOrder:
      "Stages run in the order written: first those of the value, then those that look at the target (toggle, step, relative, pickup, jump, catch), last smooth and slew."
    case .targetCount:
      "A vector is distributed: it has as many targets as it has numbers."
    case .notATarget: "Labels and meters show values; nothing can be sent to them by a route."
    case .loop: "Routes from channels and widgets back to themselves would never come to rest."
    case .sharedChannel:
      "When two lines feed one channel, the last event wins. Layers or a widget with merge= make it clear which counts."
    case .notInThisVersion: "The language has this, but this version of Sonde cannot do it yet."
    }
  }
}
