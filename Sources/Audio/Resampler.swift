// Every call of libsamplerate that PERFORM makes: `process` and `reset` work in memory that `init` allocated
// (src_sinc.c allocates in `sinc_set_converter` alone).
import CSampleRate

/// libsamplerate's shortest sinc filter.
///
/// It looks 20 frames ahead (0.4 ms at 48 kHz), is exact to 97 dB below 80 % of the Nyquist frequency, and takes
/// 2 % of a slow core for stereo. The better filters look 46 and 143 frames ahead, for 3.5 and 13 %;
/// linear interpolation takes 0.5 %, and folds what lies above 5 kHz back audibly.
struct Resampler: BitwiseCopyable {
  /// The frames of input that must lie beyond the place of the last frame of output.
  let lookAhead: Int

  struct Outcome: BitwiseCopyable {
    var used: Int
    var made: Int
  }

  private let state: OpaquePointer

  /// nil where there is no memory, or for more than 128 channels.
  ///
  /// - Parameters:
  ///   - inputRate: frames per second that come in.
  ///   - rate: frames per second that go out.
  init?(channels: Int, from inputRate: Int, to rate: Int) {
    var error: Int32 = 0
    guard let made = src_new(Int32(SRC_SINC_FASTEST), Int32(channels), &error) else { return nil }
    state = made
    // The filter is as long as a slower output needs.
    lookAhead = 24 * max(1, (inputRate + rate - 1) / rate)
  }

  /// Frees its memory; the last call.
  func deallocate() { _ = src_delete(state) }

  /// Forgets what it has heard.
  @_noLocks
  func reset() {
    let state = state
    _unsafePerformance { _ = src_reset(state) }
  }

  /// Makes up to `outputFrames` frames, at `ratio` frames for each frame of input. The ratio holds from the first
  /// frame on, so that each frame made moves on by exactly 1/`ratio` frames of input.
  @_noLocks
  func process(
    _ input: UnsafePointer<Float>, frames inputFrames: Int,
    into output: UnsafeMutablePointer<Float>, frames outputFrames: Int, ratio: Double
  ) -> Outcome {
    let state = state
    return _unsafePerformance {
      _ = src_set_ratio(state, ratio)
      var data = SRC_DATA()
      data.data_in = input
      data.input_frames = inputFrames
      data.data_out = output
      data.output_frames = outputFrames
      data.src_ratio = ratio
      if src_process(state, &data) != 0 { return Outcome(used: 0, made: 0) }
      return Outcome(used: data.input_frames_used, made: data.output_frames_gen)
    }
  }
}
