import Testing

@testable import Audio

/// If one of these fails, a microphone on another clock clicks, lags more and more, or is heard out of tune.
@Suite struct ClockFollowerTests {
  /// What became of a capture device heard through blocks of 256 frames at 48 kHz.
  private struct Outcome {
    var jumps = 0
    var errors: [Double] = []
    var speeds: [Double] = []
  }

  /// Plays `seconds` with a capture clock that runs at `true rate` frames a second; `noise` is added to the target.
  private func follow(
    nominal: Int, trueRate: Double, believedRate: Double, seconds: Double,
    noise: (Int) -> Double = { _ in 0 }
  ) -> Outcome {
    var follower = ClockFollower(captureRate: nominal, rate: 48000)
    var outcome = Outcome()
    let block = 256.0 / 48000
    for index in 1...Int(seconds / block) {
      // 30 ms behind what is captured.
      let target = (Double(index) * block - 0.03) * trueRate + noise(index)
      var used = 0.0
      switch follower.step(frames: 256, expected: block * believedRate, target: target) {
      case .hold: continue
      case .jump(let length):
        outcome.jumps += 1
        used = length
      case .advance(let length): used = length
      }
      follower.use(used)
      outcome.errors.append(target - follower.position)
      outcome.speeds.append(used / block)
    }
    return outcome
  }

  @Test(arguments: [(48000, 1.0001), (48000, 0.9999), (44100, 1.001), (96000, 0.999), (8000, 1)])
  func driftIsFollowedWithoutAJump(nominal: Int, drift: Double) {
    let rate = Double(nominal) * drift
    let outcome = follow(
      nominal: nominal, trueRate: rate, believedRate: Double(nominal), seconds: 60)
    // The first is where it begins.
    #expect(outcome.jumps == 1)
    // Believing the nominal rate, it lags by what it needs to correct: drift · 1 s.
    let lag = abs(drift - 1) * Double(nominal)
    #expect(outcome.errors.allSatisfy { abs($0) <= lag * 1.02 + 1e-6 })
    // After five time constants the speed is the device's.
    let settled = outcome.speeds.dropFirst(1000)
    #expect(settled.allSatisfy { abs($0 / rate - 1) < 1e-5 })
  }

  @Test func theLoopsRateLeavesNoLag() {
    let outcome = follow(nominal: 48000, trueRate: 48048, believedRate: 48048, seconds: 20)
    #expect(outcome.errors.allSatisfy { abs($0) < 1e-6 })
  }

  /// Noise of ± 48 frames (1 ms) on the target must not be heard: a thousandth of a semitone is 0.006 %.
  @Test func noiseIsNotHeard() {
    let outcome = follow(
      nominal: 48000, trueRate: 48000, believedRate: 48000, seconds: 60,
      noise: { Double(($0 * 7919) % 97) - 48 })
    #expect(outcome.jumps == 1)
    #expect(outcome.speeds.dropFirst(1).allSatisfy { abs($0 / 48000 - 1) <= 0.003 })
    #expect(outcome.errors.allSatisfy { abs($0) < 100 })
  }

  /// A machine that slept for a second hears what is said now, not what was said then.
  @Test func aLongGapIsJumpedOver() {
    let outcome = follow(
      nominal: 48000, trueRate: 48000, believedRate: 48000, seconds: 10,
      noise: { $0 > 1000 ? 48000 : 0 })
    #expect(outcome.jumps == 2)
    #expect(abs(outcome.errors.last!) < 1e-6)
  }

  @Test func aStreamThatFellBehindIsWaitedForInSilence() {
    var follower = ClockFollower(captureRate: 48000, rate: 48000)
    #expect(follower.step(frames: 256, expected: 256, target: 100) == .hold)
    #expect(follower.step(frames: 256, expected: 256, target: 10_000) == .jump(256))
    #expect(follower.position == 9744)
    follower.use(256)
    #expect(follower.step(frames: 256, expected: 256, target: 9000) == .hold)
    #expect(follower.step(frames: 256, expected: 256, target: 10_256) == .advance(256))
  }
}
