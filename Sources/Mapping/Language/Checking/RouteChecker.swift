/// A line in which everything was found.
struct CheckedRoute {
  var source: ResolvedSource
  var stages: [StageChecker.CheckedStage]
  /// The words of the stages, for the line's identity.
  var stageNames: [String]
  var targets: [TargetChecker.CheckedTarget]
  var span: Span
}

/// Checks one route.
struct RouteChecker {
  let declarations: Declarations
  let diagnostics: DiagnosticList
  private let sources: SourceResolver
  private let targets: TargetChecker

  init(_ declarations: Declarations, diagnostics: DiagnosticList) {
    self.declarations = declarations
    self.diagnostics = diagnostics
    sources = SourceResolver(declarations: declarations, diagnostics: diagnostics)
    targets = TargetChecker(declarations, diagnostics: diagnostics, sources: sources)
  }

  /// The line for the runtime, or nil when something in it was reported.
  func check(_ route: RouteSyntax) -> CheckedRoute? {
    for tag in route.layers { checkLayer(tag) }
    let source = sources.resolve(route.source)
    let stages = check(route.stages, source, isDamaged: route.isDamaged)
    if let arrow = route.feedback {
      diagnostics.reportMissing("Feedback by <->", at: arrow)
    }
    checkSmoothing(stages, route)
    let found = route.targets.compactMap(targets.check)
    guard let source else { return nil }
    if !route.isDamaged { checkCount(source, route) }
    if !stages.hasKnownRange { checkRawRange(found, route) }
    return CheckedRoute(
      source: source, stages: stages.stages, stageNames: route.stages.map(\.name.text),
      targets: found, span: route.span)
  }

  /// Checks a layer's line, which this version cannot run.
  func checkLayer(_ name: Name, _ source: SourceSyntax, _ stages: [StageSyntax]) {
    diagnostics.reportMissing("The statement `layer`", at: name.span)
    let resolved = sources.resolve(source)
    _ = check(stages, resolved, isDamaged: false)
  }

  private func check(
    _ stages: [StageSyntax], _ source: ResolvedSource?, isDamaged: Bool
  ) -> StageChecker {
    // Behind a stage that could not be read nothing is known of the values.
    var checker = StageChecker(isDamaged ? nil : source, diagnostics: diagnostics)
    for stage in stages { checker.check(stage) }
    return checker
  }

  private func checkLayer(_ tag: LayerTag) {
    let name = tag.name
    if declarations.hasLayer(name.text) { return }
    diagnostics.report(
      .unknownLayer, at: name.span, "There is no layer `\(name.text)` in this mapping.",
      hint: diagnostics.hint(for: name.text, in: declarations.layers.map(\.text))
        ?? "declare it: layer \(name.text) = pad.left.shoulder")
  }

  private func checkSmoothing(_ stages: StageChecker, _ route: RouteSyntax) {
    guard let stage = stages.controlStage, !route.isDamaged else { return }
    let takesValues = route.targets.contains { target in
      switch target.kind {
      case .named, .channel, .widget: true
      default: false
      }
    }
    if takesValues { return }
    diagnostics.report(
      .stageOrder, at: stage.span,
      "`\(stage.text)` glides channels and widgets, and this line has none.",
      hint: "remove | \(stage.text)")
  }

  /// A widget scales the whole range into its own, and a note takes its velocity from it.
  private func checkRawRange(_ targets: [TargetChecker.CheckedTarget], _ route: RouteSyntax) {
    let needsRange = targets.contains { target in
      switch target.description {
      case .widget: true
      case .channel: false
      case .note(_, _, let velocity): velocity == nil
      }
    }
    guard needsRange else { return }
    diagnostics.reportMissing(
      "The device's own range for this target", at: route.source.span,
      hint: "give the range: | from a..b")
  }

  private func checkCount(_ source: ResolvedSource, _ route: RouteSyntax) {
    let numbers = source.components.count
    let count = route.targets.count
    guard numbers > 1, count != numbers, let first = route.targets.first,
      let last = route.targets.last
    else { return }
    diagnostics.report(
      .targetCount, at: first.span.joined(with: last.span),
      "The source gives \(numbers) numbers, but the line has \(count) target\(count == 1 ? "" : "s").",
      hint:
        "name \(numbers) targets, or one number of it: \(source.deviceName).\(source.components[0].name)"
    )
  }
}
