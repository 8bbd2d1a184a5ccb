// What the parser makes of a mapping: statements with the place of everything in them, nothing looked up yet.

/// A name, quoted or bare.
struct Name: Hashable, Sendable {
  var text: String
  var isQuoted: Bool
  var span: Span
}

/// A number and the unit glued to it.
struct Quantity: Hashable, Sendable {
  var value: Double
  var unit: Unit?
  var span: Span
}

/// What stands between two blanks behind a stage's or target's word.
enum Argument: Hashable, Sendable {
  case number(Quantity)
  /// A word or a key; which of them is decided by what is wanted.
  case word(Name)
  case string(Name)
  indirect case range(Argument, Argument, span: Span)

  var span: Span {
    switch self {
    case .number(let quantity): quantity.span
    case .word(let name), .string(let name): name.span
    case .range(_, _, let span): span
    }
  }
}

/// `word=value` of a device, a widget or a target.
struct Attribute: Sendable {
  var name: Name
  var value: Name
  /// The value as a target's attributes write it, a number or a key; of devices and widgets a word.
  var argument: Argument

  var span: Span { name.span.joined(with: value.span) }
}

struct StageSyntax: Sendable {
  var name: Name
  var arguments: [Argument]

  var span: Span { arguments.last.map { name.span.joined(with: $0.span) } ?? name.span }
}

/// Where a route's value comes from.
enum SourceSyntax: Sendable {
  /// `DEVICE.CONTROL`, `DEVICE` or `WIDGET`; `control` is only known apart where the device is quoted.
  case path(Name, control: Name?, keys: Argument?)
  case channel(Name)

  var span: Span {
    switch self {
    case .path(let name, let control, let keys):
      name.span.joined(with: keys?.span ?? control?.span ?? name.span)
    case .channel(let name): name.span
    }
  }
}

struct TargetSyntax: Sendable {
  enum Kind: Sendable {
    case named(Name)
    case channel(Name)
    case widget(Name)
    case note(instrument: Argument)
    case event(Name)
    case midi(all: Name?)
    case feedback(Name, control: Name?)
    case recenter(Name, all: Name?)
    case panic
    case mute
  }

  var kind: Kind
  var attributes: [Attribute] = []
  var span: Span
}

struct LayerTag: Sendable {
  var name: Name
  var isNegated: Bool
}

struct RouteSyntax: Sendable {
  var layers: [LayerTag]
  var source: SourceSyntax
  var stages: [StageSyntax]
  var targets: [TargetSyntax]
  /// The `<->` of a route that is also its feedback.
  var feedback: Span?
  /// Whether a stage or target was left out because it could not be read.
  var isDamaged: Bool
  var span: Span
}

struct Statement: Sendable {
  enum Kind: Sendable {
    case csd(Name)
    case include(Name)
    case device(name: Name, kind: Name, attributes: [Attribute])
    case widget(kind: Name, name: Name, attributes: [Attribute])
    case layer(name: Name, source: SourceSyntax, stages: [StageSyntax])
    case route(RouteSyntax)
  }

  var kind: Kind
  var span: Span
}
