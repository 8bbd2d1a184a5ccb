import Testing

@testable import sonde_bench

@Suite struct StepTraceTests {
  @Test("A jump is found at its very sample, also on the border of two blocks")
  func findsJumps() {
    let trace = StepTrace(capacity: 8)
    record([0, 0, 0.25, 0.25], at: 100, trace)
    record([0.5, 0.5, 0.5, 0.125], at: 104, trace)
    #expect(
      trace.steps == [
        Step(frame: 102, level: 0.25), Step(frame: 104, level: 0.5), Step(frame: 107, level: 0.125),
      ])
  }

  @Test("The rounding of a sample format is no jump")
  func ignoresRounding() {
    let trace = StepTrace(capacity: 8)
    record([0.5, 0.50003, 0.49997, 0.5], at: 0, trace)
    #expect(trace.steps == [Step(frame: 0, level: 0.5)])
  }

  @Test("A trace that is full says how much it lost")
  func countsWhatDoesNotFit() {
    let trace = StepTrace(capacity: 2)
    record([0.25, 0.5, 0.25, 0.5, 0.5], at: 0, trace)
    #expect(trace.steps.count == 2 && trace.lost == 2)
  }

  @Test("Every code is told by its level, and nothing else is")
  func codes() {
    for code in 0..<StepCode.count {
      #expect(StepCode.code(of: Float(StepCode.level(of: code))) == code)
    }
    // Sixteenths: 16-bit samples hold them exactly.
    #expect(StepCode.level(of: 0) == 0.0625 && StepCode.level(of: 14) == 0.9375)
    for level: Float in [0, 1, -0.0625, 0.09, 0.22] { #expect(StepCode.code(of: level) == nil) }
  }

  private func record(_ samples: [Float], at frame: Int64, _ trace: StepTrace) {
    samples.withUnsafeBufferPointer {
      trace.record($0.baseAddress!, count: $0.count, at: frame)
    }
  }
}
