import Glibc

extension ChildProcess {
  /// What a program holds, and what grows when it forgets to let go.
  public struct Holdings: Sendable, Equatable, CustomStringConvertible {
    public var threads: Int
    public var files: Int
    /// Resident memory, in KiB.
    public var memory: Int

    public var description: String {
      "\(threads) threads, \(files) descriptors, \(memory) KiB resident"
    }
  }

  /// What the program holds now; zeros when it has ended.
  public var holdings: Holdings {
    let fields = TextFiles.read("/proc/\(identifier)/statm")?.split(separator: " ") ?? []
    let pages = fields.count > 1 ? Int(fields[1]) ?? 0 : 0
    return Holdings(
      threads: threadCount, files: openFileCount, memory: pages * Int(getpagesize()) / 1024)
  }

  /// The seconds that the program's threads have spent on processors; 0 when it has ended.
  ///
  /// Source: utime and stime in /proc/PID/stat (fs/proc/array.c), in ticks of 10 ms.
  public var processorTime: Double {
    guard let text = TextFiles.read("/proc/\(identifier)/stat"), let end = text.lastIndex(of: ")")
    else { return 0 }
    let fields = text[end...].split(separator: " ")
    guard fields.count > 13 else { return 0 }
    return (Double(fields[12]) ?? 0) / 100 + (Double(fields[13]) ?? 0) / 100
  }
}
