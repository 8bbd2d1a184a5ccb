/// Looks over all lines for channels that several of them feed, and for lines that run in a circle.
struct TargetUse {
  private struct Edge {
    var target: String
    var span: Span
  }

  private let declarations: Declarations
  private let diagnostics: DiagnosticList
  /// The first unlayered line to each plain channel.
  private var firstUse: [String: Span] = [:]
  /// From the channels and widgets that are sources to what their lines feed.
  private var edges: [String: [Edge]] = [:]
  private var sources: [String] = []

  init(_ declarations: Declarations, diagnostics: DiagnosticList) {
    self.declarations = declarations
    self.diagnostics = diagnostics
  }

  mutating func add(_ route: RouteSyntax) {
    for target in route.targets {
      switch target.kind {
      case .channel(let name): add(channel: name, isLayered: !route.layers.isEmpty)
      case .named(let name) where declarations.widget(name.text) == nil:
        add(channel: name, isLayered: !route.layers.isEmpty)
      default: break
      }
    }
    addEdges(route)
  }

  private mutating func add(channel name: Name, isLayered: Bool) {
    if isLayered { return }
    guard let first = firstUse[name.text] else {
      firstUse[name.text] = name.span
      return
    }
    diagnostics.report(
      .sharedChannel, .warning, at: name.span,
      "Two lines feed the channel `\(name.text)`; the last event wins.",
      hint: "use layers, or a widget with merge=", related: ("Also fed here.", first))
  }

  private mutating func addEdges(_ route: RouteSyntax) {
    let source: Name
    switch route.source {
    case .channel(let name): source = name
    case .path(let name, control: nil, keys: nil) where declarations.widget(name.text) != nil:
      source = name
    default: return
    }
    if edges[source.text] == nil { sources.append(source.text) }
    for target in route.targets {
      switch target.kind {
      case .named(let name), .channel(let name), .widget(let name):
        edges[source.text, default: []].append(Edge(target: name.text, span: route.source.span))
      default: break
      }
    }
  }

  /// Reports every circle once, at the line that closes it.
  func reportLoops() {
    enum Mark { case open, done }
    var marks: [String: Mark] = [:]
    for start in sources where marks[start] == nil {
      // A stack of its own, because a chain of lines may be longer than the thread's stack is deep.
      var path: [(name: String, next: Int)] = [(start, 0)]
      marks[start] = .open
      while let (name, next) = path.last {
        guard let edge = edges[name].flatMap({ next < $0.count ? $0[next] : nil }) else {
          marks[name] = .done
          path.removeLast()
          continue
        }
        path[path.count - 1].next += 1
        switch marks[edge.target] {
        case .open:
          diagnostics.report(
            .loop, at: edge.span, "This line leads back to `\(edge.target)` in a circle.",
            hint: "remove one line of the circle")
        case .done: break
        case nil:
          marks[edge.target] = .open
          path.append((edge.target, 0))
        }
      }
    }
  }
}
