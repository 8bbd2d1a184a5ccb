import Glibc
import Testing

@testable import Audio

/// If one of these fails, resampled sound clicks, or drifts away from the place that Sonde believes it to be at.
@Suite struct ResamplerTests {
  /// A sine through changing ratios is, frame by frame, the sine at the place that the ratios add up to.
  @Test(arguments: [(48000, 48000), (44100, 48000), (96000, 48000), (8000, 48000), (192000, 44100)])
  func placesAddUp(inputRate: Int, rate: Int) throws {
    let resampler = try #require(Resampler(channels: 2, from: inputRate, to: rate))
    defer { resampler.deallocate() }
    let nominal = Double(rate) / Double(inputRate)
    // 1 kHz, as far as the narrower of the two rates carries it well.
    func sine(_ place: Double) -> Double {
      0.5 * sin(2 * Double.pi * 1000 * place / Double(inputRate))
    }
    var input: [Float] = []
    var first = 0
    var place = 0.0
    var output = [Float](repeating: 0, count: 2 * 256)
    var worst = 0.0
    for block in 0..<400 {
      let ratio = nominal * (1 + 0.003 * sin(Double(block) / 20))
      let needed = Int(place + 256 / ratio) + 2 * resampler.lookAhead
      while first + input.count / 2 < needed {
        let value = Float(sine(Double(first + input.count / 2)))
        input += [value, -value]
      }
      var done = 0
      while done < 256 {
        let outcome = output.withUnsafeMutableBufferPointer { output in
          input.withUnsafeBufferPointer {
            resampler.process(
              $0.baseAddress!, frames: $0.count / 2, into: output.baseAddress! + 2 * done,
              frames: 256 - done, ratio: ratio)
          }
        }
        input.removeFirst(2 * outcome.used)
        first += outcome.used
        done += outcome.made
        try #require(outcome.made > 0 || outcome.used > 0, "block \(block): \(done) frames")
      }
      // The filter has to be filled first.
      if block > 10 {
        for frame in 0..<256 {
          let wanted = sine(place + Double(frame) / ratio)
          worst = max(worst, abs(Double(output[2 * frame]) - wanted))
          worst = max(worst, abs(Double(output[2 * frame + 1]) + wanted))
        }
      }
      place += 256 / ratio
    }
    // The documented 97 dB of the filter.
    #expect(worst < 0.5 * pow(10, -90 / 20))
  }

  @Test func moreChannelsThanTheLibraryKnowsAreRefused() {
    #expect(Resampler(channels: 129, from: 48000, to: 48000) == nil)
  }
}
