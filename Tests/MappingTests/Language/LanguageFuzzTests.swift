import Glibc
import Testing

@testable import Mapping

/// If this fails, there is a text that ends the program instead of being reported.
@Suite struct LanguageFuzzTests {
  /// A small generator of its own, so that a failing round can be run again.
  private struct Generator: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = state
      z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return z ^ (z >> 31)
    }
  }

  private static let pieces: [String] = [
    "device ", "widget ", "slider ", "layer ", "include ", "csd ", "gamepad", ".left", ".x", "|",
    " -> ", "<->", "{1..4}", "{a,b}", "{", "}", "\"", "\\", "\\\n", "\n", "\r\n", "#", " # ", "..",
    "0", "-1", "1e3", ".5", "20ms", "deg", "note ", "key=", "C4", "[", "!", "]", ",", "=", " ",
    "\t", "from ", "to ", "smooth ", "deadzone ", "radial", "quantize scale ", "channel ", "é", "→",
    "\u{FEFF}", "\u{0}", "midi", "cc", "ch1.", "ABS_", "a.map", "99999999999999999999",
  ]

  private static var rounds: Int {
    let percent = getenv("SONDE_REPEAT_PERCENT").flatMap { Int(String(cString: $0)) } ?? 10
    return max(1, 20_000 * percent / 100)
  }

  @Test func noTextEndsTheProgram() {
    var generator = Generator(state: 2026)
    let seeds = [Array(completeExample.utf8)] + CheckerTests.mistakes.map { Array($0.text.utf8) }
    for _ in 0..<LanguageFuzzTests.rounds {
      var bytes = seeds.randomElement(using: &generator)!
      for _ in 0..<Int.random(in: 1...8, using: &generator) { mutate(&bytes, &generator) }
      let others = Array(bytes.shuffled(using: &generator).prefix(200))
      let compilation = MappingCompiler.check([MappingFile(path: "a.map", bytes: bytes)]) { _, _ in
        .success(others)
      }
      #expect((compilation.description == nil) == compilation.hasErrors)
      for diagnostic in compilation.diagnostics {
        #expect(diagnostic.place.line >= 1 && diagnostic.place.column >= 1)
        #expect(
          diagnostic.place.column <= diagnostic.place.text.count + 1,
          "\(diagnostic.rendered())")
      }
    }
  }

  private func mutate(_ bytes: inout [UInt8], _ generator: inout Generator) {
    let at = Int.random(in: 0...bytes.count, using: &generator)
    switch Int.random(in: 0..<6, using: &generator) {
    case 0, 1, 2:
      bytes.insert(
        contentsOf: LanguageFuzzTests.pieces.randomElement(using: &generator)!.utf8, at: at)
    case 3: if at < bytes.count { bytes.remove(at: at) }
    case 4: if at < bytes.count { bytes[at] = UInt8.random(in: 0...255, using: &generator) }
    default:
      let end = Int.random(in: at...bytes.count, using: &generator)
      bytes.removeSubrange(at..<min(end, at + 40))
    }
  }
}
