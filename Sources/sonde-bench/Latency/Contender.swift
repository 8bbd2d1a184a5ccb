import Events
import LinuxIO

/// An instrument whose time from gesture to sound is measured.
///
/// All of them play the same: a gesture makes the output jump to the level of its code (`StepCode`), at the moment
/// in which a note would begin.
struct Contender: Sendable {
  let name: String
  let isSonde: Bool
  let start: @Sendable (JACKServer, JACKListener, TemporaryFolder) throws -> any Player

  init(
    _ name: String, isSonde: Bool = false,
    start: @escaping @Sendable (JACKServer, JACKListener, TemporaryFolder) throws -> any Player
  ) {
    self.name = name
    self.isSonde = isSonde
    self.start = start
  }
}

/// A contender that plays.
protocol Player: AnyObject, Sendable {
  /// A gesture that was made at `moment`, and whose event arrives now. On a realtime thread.
  func gesture(_ code: Int, at moment: Moment)

  /// Called 20 times a second; throws when it plays no more.
  func service() throws

  func stop()

  /// What it says of itself.
  var figures: [Figure] { get }
}

/// A program that plays, with its name in messages and what it wrote.
final class ProgramPlayer: Player {
  private let program: BackgroundProgram
  private let log: String
  private let send: @Sendable (Int, Moment) -> Void

  /// Starts the program and connects its output to the listener.
  ///
  /// - Parameters:
  ///   - package: what to install where it is missing.
  ///   - send: how it learns of a gesture.
  /// - Throws: `PeerMissing`, or `BenchmarkFailure` with what it wrote.
  init(
    _ arguments: [String], package: String, folder: TemporaryFolder, server: JACKServer,
    listener: JACKListener, byMIDI: Bool = false, send: @escaping @Sendable (Int, Moment) -> Void
  ) throws {
    self.send = send
    log = "\(folder.path)/\(arguments[0])-\(monotonicNow()).log"
    do throws(SystemError) {
      program = try BackgroundProgram(arguments, output: log)
    } catch {
      if error.number == .notFound { throw PeerMissing(program: arguments[0], package: package) }
      throw error
    }
    let program = program
    do {
      let audio = try server.waitForPort(.audioOutput, while: { !program.hasEnded })
      try listener.listen(to: audio)
      if byMIDI {
        let port = try server.waitForPort(.midiInput, while: { !program.hasEnded })
        try listener.connectMIDI(to: port)
      }
    } catch {
      program.end()
      throw BenchmarkFailure("\(arguments[0]): \(error); it says:\n\(output)")
    }
  }

  private var output: String {
    let text = (try? readFile(log)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    return text.split(separator: "\n").suffix(12).joined(separator: "\n")
  }

  func gesture(_ code: Int, at moment: Moment) { send(code, moment) }

  func service() throws {
    if program.hasEnded {
      throw BenchmarkFailure("\(program.name) has ended by itself; it says:\n\(output)")
    }
  }

  func stop() { program.end() }

  var figures: [Figure] { [] }
}

/// A peer that is not on this machine.
struct PeerMissing: Error, CustomStringConvertible {
  let program: String
  let package: String

  var description: String {
    "not installed: there is no \(program); install the package \(package)"
  }
}
