public import Events

extension DeviceDeclaration {
  /// Whether a declared device could be the one that `description` is of; `index=` is not looked at.
  public func matches(_ description: DeviceDescription) -> Bool {
    guard case .declared(let kind) = role, kind == description.kind else { return false }
    func fits(_ pattern: String?, _ text: String?) -> Bool {
      guard let pattern else { return true }
      guard let text else { return false }
      return Glob(pattern).matches(text)
    }
    return fits(matchers.name, description.name) && fits(matchers.model, description.model)
      && fits(matchers.uniq, description.uniq) && fits(matchers.serial, description.serial)
      && fits(matchers.path, description.path)
      && (matchers.vendor == nil || matchers.vendor == description.vendor)
      && (matchers.product == nil || matchers.product == description.product)
  }
}

extension DeviceDescription {
  /// Whether the device has what `motion` needs: an accelerometer, a gyroscope or a gravity sensor.
  public var hasMotionSensors: Bool {
    if kind != .gamepad && kind != .imu { return false }
    let sensors: Set<String> = ["accelerometer", "gyro", "gravity", "quaternion", "motion"]
    if controls.isEmpty { return kind == .imu }
    return controls.contains { control in
      sensors.contains(control.split(separator: ".").first.map(String.init) ?? control)
    }
  }

  /// Whether two descriptions are of one physical device, whose known controls may have grown.
  func isSameDevice(as other: DeviceDescription) -> Bool {
    var copy = other
    copy.controls = controls
    return self == copy
  }
}
