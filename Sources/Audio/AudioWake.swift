public import Events

/// What a backend says after waiting.
public enum AudioWake: BitwiseCopyable, Sendable, Equatable {
  /// So many frames are wanted now: whole periods, 0 when it only looked up from waiting.
  case frames(Int)
  /// There was a gap in the sound; wait again.
  case xrun(length: Nanoseconds)
  /// The period, or the way from the device to the sound, is another one from now on (`format`, `addedFrames`);
  /// wait again.
  case resized
  /// The device is gone, or has not moved for a long time.
  case lost
}
