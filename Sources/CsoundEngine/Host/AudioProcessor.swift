/// Changes or watches the sound on its way into Csound or out of it.
///
/// `process` is called on PERFORM, once for every k-cycle: it must neither wait nor allocate.
public protocol AudioProcessor: AnyObject, Sendable {
  /// Comes before the first block, and again should the run have another shape: room may be made here.
  ///
  /// - Parameters:
  ///   - rate: frames per second.
  ///   - channels: interleaved channels.
  ///   - frames: frames in every block (ksmps).
  func prepare(rate: Int, channels: Int, frames: Int)

  /// One block, interleaved, in units of full scale (0dbfs is 1); what is left in it goes on.
  func process(_ block: UnsafeMutableBufferPointer<Double>)
}

extension AudioProcessor {
  public func prepare(rate: Int, channels: Int, frames: Int) {}
}
