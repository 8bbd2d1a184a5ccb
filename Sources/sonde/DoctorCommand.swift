import Bridge

/// `sonde doctor`.
enum DoctorCommand {
  static func run() -> Int32 {
    let findings = Doctor().examine()
    for finding in findings {
      let mark =
        switch finding.state {
        case .good: "ok     "
        case .warning: "warning"
        case .missing: "missing"
        }
      Terminal.output("\(mark)  \(finding.subject): \(finding.detail)")
      if let remedy = finding.remedy { Terminal.output("           \(remedy)") }
    }
    return findings.contains { $0.state == .missing } ? 1 : 0
  }
}
