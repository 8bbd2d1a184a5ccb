internal import Events

/// From a control of a device to the lines that listen to it, at a cost that does not depend on the number of lines.
struct ListenerIndex: BitwiseCopyable {
  struct Range: BitwiseCopyable {
    var start: Int32
    var count: Int32
  }

  private struct Bucket: BitwiseCopyable {
    var key: UInt64
    var range: Range
  }

  /// The language's own controls: a table per device.
  private let table: UnsafeMutablePointer<Range>
  /// The others (raw codes): open addressing, never full.
  private let buckets: UnsafeMutablePointer<Bucket>
  private let bucketMask: Int
  /// Indices of lines, in their order in the mapping.
  let routes: UnsafeMutablePointer<Int32>

  /// - Parameter routes: in the order in which values are to be delivered.
  init(_ routes: [(index: Int, device: Int, control: ControlID)], deviceCount: Int) {
    let languageCount = ControlID.languageCount
    var lists: [UInt64: [Int32]] = [:]
    for route in routes {
      lists[ListenerIndex.key(route.device, route.control), default: []].append(Int32(route.index))
    }
    let others = lists.keys.count { $0 & 0xFFFF_FFFF >= UInt64(languageCount) }
    var size = 4
    while size < 2 * others { size *= 2 }
    bucketMask = size - 1
    table = .allocate(capacity: deviceCount * languageCount)
    table.initialize(repeating: Range(start: 0, count: 0), count: deviceCount * languageCount)
    buckets = .allocate(capacity: size)
    buckets.initialize(
      repeating: Bucket(key: .max, range: Range(start: 0, count: 0)), count: size)
    self.routes = .allocate(capacity: routes.count)

    var start = 0
    for (key, list) in lists {
      let range = Range(start: Int32(start), count: Int32(list.count))
      for (offset, index) in list.enumerated() {
        (self.routes + start + offset).initialize(to: index)
      }
      start += list.count
      let control = Int(key & 0xFFFF_FFFF)
      if control < languageCount {
        table[Int(key >> 32) * languageCount + control] = range
      } else {
        var position = ListenerIndex.position(key, bucketMask)
        while buckets[position].key != .max { position = (position + 1) & bucketMask }
        buckets[position] = Bucket(key: key, range: range)
      }
    }
  }

  func deallocate() {
    table.deallocate()
    buckets.deallocate()
    routes.deallocate()
  }

  /// The part of `routes` that listens to `control` of the program's device number `device`.
  @_noLocks
  func range(device: Int, control: ControlID) -> Range {
    let number = Int(control.rawValue)
    if number < ControlID.languageCount {
      return table[device * ControlID.languageCount + number]
    }
    let key = ListenerIndex.key(device, control)
    var position = ListenerIndex.position(key, bucketMask)
    while true {
      let bucket = buckets[position]
      if bucket.key == key { return bucket.range }
      if bucket.key == .max { return Range(start: 0, count: 0) }
      position = (position + 1) & bucketMask
    }
  }

  @_noLocks
  private static func key(_ device: Int, _ control: ControlID) -> UInt64 {
    UInt64(truncatingIfNeeded: device) << 32 | UInt64(control.rawValue)
  }

  @_noLocks
  private static func position(_ key: UInt64, _ mask: Int) -> Int {
    // Fibonacci hashing: the golden ratio spreads neighbouring codes.
    Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 32) & mask
  }
}
