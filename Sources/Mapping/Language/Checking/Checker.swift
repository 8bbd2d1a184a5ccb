/// Everything that a mapping says, looked up and found good; incomplete when errors were reported.
struct CheckedMapping {
  var declarations: Declarations
  var routes: [CheckedRoute]
}

/// Checks the statements of all files together, so that their order does not matter.
struct Checker {
  static func check(_ statements: [Statement], diagnostics: DiagnosticList) -> CheckedMapping {
    let declarations = Declarations(statements, diagnostics: diagnostics)
    let checker = RouteChecker(declarations, diagnostics: diagnostics)
    var use = TargetUse(declarations, diagnostics: diagnostics)
    var routes: [CheckedRoute] = []
    for statement in statements {
      switch statement.kind {
      case .route(let route):
        if let checked = checker.check(route) { routes.append(checked) }
        use.add(route)
      case .layer(let name, let source, let stages): checker.checkLayer(name, source, stages)
      case .csd, .include, .device, .widget: break
      }
    }
    use.reportLoops()
    return CheckedMapping(declarations: declarations, routes: routes)
  }
}
