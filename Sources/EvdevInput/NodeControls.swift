internal import Events

extension EvdevNode {
  /// The controls that the node has, in the language's names and groups: `left`, `dpad`, `south`, `gyro`, `touch` …
  ///
  /// A group stands for all of its parts. For `DeviceDescription.controls`, in the order of the language's table.
  public var controls: [String] {
    switch role {
    case .pad: padControls
    case .motion: motionControls
    case .touchpad: ["touchpad.click", "touch"]
    case nil: []
    }
  }

  private var padControls: [String] {
    let layout = PadLayout(node: self)
    var found = Set(layout.keys.values)
    var isCross = false
    for axis in layout.axes.values {
      switch axis {
      case .stick(let control, _), .trigger(let control): found.insert(control)
      case .hatX, .hatY: isCross = true
      }
    }
    let crossButtons: [ControlID] = [.dpadUp, .dpadDown, .dpadLeft, .dpadRight]
    isCross = isCross || crossButtons.contains { found.contains($0) }
    found.subtract(crossButtons)
    var names: [String] = []
    func group(_ name: String, _ first: ControlID) {
      let second = first.offset(by: 1)
      if found.contains(first) && found.contains(second) {
        names.append(name)
        found.subtract([first, second])
      }
    }
    group("left", .leftX)
    group("right", .rightX)
    if isCross { names.append("dpad") }
    return names + Control.gamepad.filter { found.contains($0.id) }.map(\.name)
  }

  private var motionControls: [String] {
    guard let layout = MotionLayout(node: self) else { return [] }
    return (layout.accelerometer == nil ? [] : ["accelerometer"])
      + (layout.gyro == nil ? [] : ["gyro"])
  }
}
