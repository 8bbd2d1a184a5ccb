import LabSupport
import Testing

/// The device suites: one after another, as they plug devices into one machine, and only inside `Tests/Lab/vm`.
@Suite(
  .serialized,
  .enabled(if: environment("SONDE_LAB") == "1", "runs inside the virtual machine: make lab"))
struct Lab {}

/// Prints a measured figure among the test output, where a person looks for it.
func report(_ figure: String) { print("  figure: \(figure)") }

extension Double {
  /// The number with so many decimals, for figures.
  func text(decimals: Int) -> String {
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    let rounded = (self * scale).rounded() / scale
    return "\(rounded)"
  }
}
