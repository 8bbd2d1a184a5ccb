import Testing

@testable import sonde_bench

@Suite struct OnsetAnalysisTests {
  private func step(_ frame: Int64, _ gesture: Int) -> Step {
    Step(frame: frame, level: Float(gesture % 15 + 1) / 16)
  }

  @Test("Each jump belongs to the gesture whose code it has, however late it comes")
  func matches() {
    // The first sounds after the second was made.
    let analysis = OnsetAnalysis(
      gestures: [100, 1100, 2100], steps: [step(1700, 0), step(2650, 1), step(3750, 2)])
    #expect(analysis.latencies == [1600, 1550, 1650])
    #expect(analysis.unheard == 0 && analysis.strange == 0)
  }

  @Test("Codes go round: gesture 16 is not taken for gesture 1")
  func wraps() {
    let gestures = (0..<40).map { Double($0) * 1000 }
    let steps = (0..<40).map { step(Int64($0) * 1000 + 70, $0) }
    #expect(
      OnsetAnalysis(gestures: gestures, steps: steps).latencies == .init(repeating: 70, count: 40))
  }

  @Test("An instrument that is slow to start is not heard at first, and not late for ever")
  func lateStart() {
    let gestures = (0..<40).map { Double($0) * 1000 }
    let steps = (17..<40).map { step(Int64($0) * 1000 + 1300, $0) }
    let analysis = OnsetAnalysis(gestures: gestures, steps: steps)
    #expect(analysis.latencies == .init(repeating: 1300, count: 23))
    #expect(analysis.unheard == 17 && analysis.strange == 0)
  }

  @Test("Two gestures in one period are one jump: the first is counted as not heard")
  func unheard() {
    let analysis = OnsetAnalysis(
      gestures: [100, 1100, 1150, 2100, 3100],
      steps: [step(200, 0), step(1300, 2), step(2200, 3)])
    #expect(analysis.latencies == [100, 150, 100])
    #expect(analysis.unheard == 2)
  }

  @Test("A gap in the sound is counted, and does not disturb what follows")
  func gap() {
    let analysis = OnsetAnalysis(
      gestures: [100, 1100, 2100],
      steps: [step(200, 0), Step(frame: 500, level: 0), step(600, 0), step(1210, 1), step(2190, 2)])
    #expect(analysis.latencies == [100, 110, 90])
    #expect(analysis.unheard == 0 && analysis.strange == 2)
  }

  @Test("What warmed the instrument up does not count, but keeps the codes in step")
  func warmUp() {
    let analysis = OnsetAnalysis(
      gestures: [100, 1100, 2100, 3100], steps: [step(900, 1), step(2200, 2), step(3200, 3)],
      countingFrom: 2)
    #expect(analysis.latencies == [100, 100])
    #expect(analysis.unheard == 0)
    let silent = OnsetAnalysis(gestures: [100, 1100, 2100], steps: [], countingFrom: 1)
    #expect(silent.latencies.isEmpty && silent.unheard == 2)
  }

  @Test("A sound that JACK numbers a little before its gesture is that gesture's")
  func early() {
    let (gestures, steps) = ([100.0, 1100, 2100], [step(90, 0), step(1060, 1), step(2140, 2)])
    let analysis = OnsetAnalysis(gestures: gestures, steps: steps, grace: 64)
    #expect(analysis.latencies == [-10, -40, 40])
    // Two gestures nearer to each other than the grace are told apart by their codes.
    let near = OnsetAnalysis(gestures: [100, 140], steps: [step(110, 0), step(150, 1)], grace: 64)
    #expect(near.latencies == [10, 10] && near.unheard == 0)
  }

  @Test("Mean, deviation and ranges, by hand")
  func spread() {
    let spread = Spread([2, 4, 4, 4, 5, 5, 7, 9])
    #expect(spread.mean == 5 && spread.deviation == 2 && spread.range == 7 && spread.count == 8)
    // One of 200 on both sides is left out.
    let many = Spread((0..<200).map(Double.init) + [])
    #expect(many.range == 199 && many.range(withoutOutermost: 5) == 197)
  }

  @Test("Gestures keep their distance and reach every phase of the period")
  func rhythm() {
    let period: Int64 = 42_666_667
    var rhythm = GestureRhythm(period: period, seed: 3)
    var time: Int64 = 0
    var phases = [Int](repeating: 0, count: 8)
    for _ in 0..<4000 {
      let pause = rhythm.next()
      #expect(pause > period)
      time += pause
      phases[Int(time % period * 8 / period)] += 1
    }
    // 500 each; four standard deviations of a binomial distribution are 84.
    #expect(phases.allSatisfy { abs($0 - 500) < 84 })
  }

  @Test func whatAnInterruptionCameNearIsSetApart() {
    // Gestures every 1000 frames, each heard 70 frames later but for the one beside the interruption.
    let gestures = (0..<10).map { Double($0 * 1000) }
    let steps = (0..<10).map { step(Int64($0 * 1000 + ($0 == 4 ? 300 : 70)), $0) }
    let analysis = OnsetAnalysis(
      gestures: gestures, steps: steps, interruptions: [4100, 8900], reach: 950)
    #expect(analysis.latencies == gestures.map { $0 == 4000 ? 300 : 70 })
    // Gestures 4 and 5 lie within 950 frames of frame 4100 and gesture 3's sound does not; 8 and 9 do of frame 8900.
    #expect(analysis.undisturbed == .init(repeating: 70, count: 6))
  }
}
