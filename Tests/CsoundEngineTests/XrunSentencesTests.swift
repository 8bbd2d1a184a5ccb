import Events
import Testing

@testable import CsoundEngine

/// If these fail, a machine that is too slow fills the terminal, or nobody learns why the sound breaks.
@Suite struct XrunSentencesTests {
  private let second = Nanoseconds.perSecond
  private let millisecond: Nanoseconds = 1_000_000

  /// Asks every 50 ms from `start` until `end`; `xruns` are their times in milliseconds.
  private func sentences(
    xruns: [Int64], length: Nanoseconds = 12_000_000, until end: Nanoseconds
  ) -> [(time: Nanoseconds, text: String)] {
    var sentences = XrunSentences()
    var said: [(Nanoseconds, String)] = []
    var next = 0
    var now: Nanoseconds = 0
    while now <= end {
      while next < xruns.count, xruns[next] * millisecond <= now {
        sentences.note(length: length, at: xruns[next] * millisecond)
        next += 1
      }
      if let text = sentences.sentence(at: now, remedy: "a longer buffer") {
        said.append((now, text))
      }
      now += 50 * millisecond
    }
    return said
  }

  @Test func oneInterruptionIsSaidOnceAndAtOnce() {
    let said = sentences(xruns: [1000], until: 60 * second)
    #expect(said.map(\.time) == [second])
    #expect(
      said.first?.text
        == "The sound was interrupted once, for 12 ms at the most; a longer buffer or less load helps."
    )
  }

  /// JACK tells of xruns that cost a few microseconds.
  @Test func aShortInterruptionIsNotSaidToBeNone() {
    let said = sentences(xruns: [1000], length: 38_000, until: 2 * second)
    #expect(
      said.first?.text
        == "The sound was interrupted once, for less than 1 ms at the most; a longer buffer or less load helps."
    )
  }

  @Test func lastingOverloadIsSaidEveryTenSecondsAndOnceWhenItIsOver() {
    // Ten a second, from 1 s to 26 s.
    let said = sentences(xruns: (0..<250).map { 1000 + 100 * $0 }, until: 120 * second)
    #expect(said.map { $0.time / second } == [1, 11, 21, 35])
    #expect(said[0].text.hasPrefix("The sound was interrupted once,"))
    #expect(
      said[1].text == "The sound is still interrupted: 100 times in 10 s, for 12 ms at the most.")
    #expect(said[2].text == said[1].text)
    #expect(said[3].text == "The sound is whole again, after 250 interruptions in 25 s.")
  }

  @Test func aShortBurstIsOverWithoutTenSecondsOfReports() {
    let said = sentences(xruns: [1000, 1100, 1200], until: 60 * second)
    #expect(said.map(\.time) == [second, 11_200 * millisecond])
    #expect(said.last?.text == "The sound is whole again, after 3 interruptions in 1 s.")
  }

  @Test func theNextOneAfterThatIsNews() {
    let said = sentences(xruns: [1000, 30_000], until: 60 * second)
    #expect(said.map(\.time) == [second, 30 * second])
    #expect(said.map(\.text).allSatisfy { $0.hasPrefix("The sound was interrupted once,") })
  }

  @Test func theLongestIsToldOfThoseSinceTheLastSentence() {
    var sentences = XrunSentences()
    sentences.note(length: 40 * millisecond, at: second)
    #expect(
      sentences.sentence(at: second, remedy: "a longer buffer")?.contains("for 40 ms") == true)
    sentences.note(length: 3 * millisecond, at: 10_500 * millisecond)
    #expect(
      sentences.sentence(at: 11 * second, remedy: "a longer buffer")
        == "The sound is still interrupted: once in 10 s, for 3 ms at the most.")
  }
}
