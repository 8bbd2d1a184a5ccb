import Glibc

/// The `sonde` program that was built with the tests.
public enum SondeCommand {
  /// Its path: beside the running test binary, or what `SONDE_COMMAND` says.
  public static let path: String = {
    if let path = environment("SONDE_COMMAND") { return path }
    let test = TextFiles.resolve("/proc/self/exe") ?? ""
    // `swift test` runs the test binary itself; the bundle lies in the folder of the products.
    for start in [test, CommandLine.arguments.first ?? ""] {
      guard let slash = start.lastIndex(of: "/") else { continue }
      let candidate = String(start[..<slash]) + "/sonde"
      if access(candidate, X_OK) == 0 { return candidate }
    }
    return ".build/debug/sonde"
  }()

  /// Starts it with these arguments.
  ///
  /// - Throws: `SystemCallError` when it cannot be started.
  public static func start(
    _ arguments: String..., environment: [String: String] = [:], user: ChildProcess.User = .same
  ) throws -> ChildProcess {
    try ChildProcess([path] + arguments, environment: environment, user: user)
  }
}
