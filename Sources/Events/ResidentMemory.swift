extension UnsafeMutablePointer where Pointee: BitwiseCopyable {
  /// Allocates room and writes zeros into all of it, so that its pages are in memory before a realtime thread
  /// comes to them.
  @inlinable
  public static func allocateResident(capacity: Int) -> UnsafeMutablePointer {
    let room = UnsafeMutablePointer.allocate(capacity: capacity)
    UnsafeMutableRawPointer(room).initializeMemory(
      as: UInt8.self, repeating: 0, count: capacity * MemoryLayout<Pointee>.stride)
    return room
  }
}
