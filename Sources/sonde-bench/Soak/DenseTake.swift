import Bridge
import Events

/// A take of four pads whose motion sensors tell of themselves a thousand times a second, made as it is read.
///
/// The sticks move in every fourth frame; buttons go down and up 40 times a second each way.
final class DenseTake: ByteSource {
  static let pads = 4
  static let buttons = ["south", "east", "west", "north", "left.shoulder", "right.shoulder"]
  /// Microseconds between two frames of a pad.
  private static let interval = 1000
  private static let buttonFrames = 50

  /// Buttons that went down, and values that were written, so far.
  private(set) var presses = 0
  private(set) var values = 0
  private let frames: Int
  private var next = 0
  private var random = NoiseSource(seed: 5)
  private var text: [UInt8]
  private var position = 0

  init(duration: Nanoseconds) {
    frames = Int(duration / 1000) / DenseTake.interval
    var head = "sonde-take 1\n"
    for pad in 0..<DenseTake.pads {
      head += "device pad\(pad) gamepad name=\"Bench Pad \(pad)\" uniq=00:00:00:00:00:0\(pad)"
      head +=
        " controls=\"left right accelerometer gyro \(DenseTake.buttons.joined(separator: " "))\"\n"
    }
    text = Array(head.utf8)
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    if position == text.count {
      text.removeAll(keepingCapacity: true)
      position = 0
      if next == frames { return 0 }
      for pad in 0..<DenseTake.pads { writeFrame(next, pad) }
      next += 1
    }
    let count = min(buffer.count, text.count - position)
    buffer.copyBytes(from: text[position..<position + count])
    position += count
    return count
  }

  private func writeFrame(_ frame: Int, _ pad: Int) {
    // The pads are not in step with each other.
    let time = (frame * DenseTake.pads + pad) * DenseTake.interval / DenseTake.pads
    writeStart(time, pad, "motion")
    for axis in 0..<6 {
      // Gravity on z.
      writeNumber(Int(random.between(-99_999, 99_999)) - (axis == 2 ? 900_000 : 0))
    }
    values += 6
    write(" @")
    writeTime(time)
    write("\n")
    if frame % 4 == 0 {
      for axis in ["left.x", "left.y", "right.x", "right.y"] {
        writeStart(time, pad, axis)
        writeNumber(Int(random.between(-999_999, 999_999)))
        write("\n")
      }
      values += 4
    }
    // Each pad at another time.
    let place = frame + pad * 13
    if place % DenseTake.buttonFrames != 0 { return }
    let turn = place / DenseTake.buttonFrames / 2
    let isDown = place / DenseTake.buttonFrames % 2 == 0
    writeStart(time, pad, DenseTake.buttons[turn % DenseTake.buttons.count])
    write(isDown ? " 1\n" : " 0\n")
    if isDown { presses += 1 }
    values += 1
  }

  private func write(_ part: String) { text += part.utf8 }

  private func writeStart(_ time: Int, _ pad: Int, _ control: String) {
    writeTime(time)
    write(" pad\(pad) ")
    write(control)
  }

  private func writeTime(_ microseconds: Int) {
    write(String(microseconds / 1_000_000))
    writeMillionths(microseconds % 1_000_000)
  }

  private func writeNumber(_ millionths: Int) {
    write(millionths < 0 ? " -" : " ")
    let size = abs(millionths)
    write(String(size / 1_000_000))
    writeMillionths(size % 1_000_000)
  }

  private func writeMillionths(_ number: Int) {
    text.append(UInt8(ascii: "."))
    var place = 100_000
    while place > 0 {
      text.append(UInt8(ascii: "0") + UInt8(number / place % 10))
      place /= 10
    }
  }
}
