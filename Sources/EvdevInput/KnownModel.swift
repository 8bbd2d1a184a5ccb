internal import Motion

/// What is known of a device by its ids alone.
///
/// Ids and names of nodes from the kernel's drivers/hid/hid-ids.h and the drivers named; node names differ from kernel
/// to kernel, ids do not.
struct KnownModel: Sendable {
  let vendor: UInt16
  let product: UInt16
  /// What `model=` calls it.
  let name: String
  var hasTouchpad = false
  /// The axes of its motion node.
  var frame = MotionFrame.sony
  /// Whether the driver makes the sensor's clock up, by counting samples as if their rate were known.
  var hasMadeUpClock = false

  private init(
    _ vendor: UInt16, _ product: UInt16, _ name: String, hasTouchpad: Bool = false,
    frame: MotionFrame = .sony, hasMadeUpClock: Bool = false
  ) {
    self.vendor = vendor
    self.product = product
    self.name = name
    self.hasTouchpad = hasTouchpad
    self.frame = frame
    self.hasMadeUpClock = hasMadeUpClock || frame == .nintendo
  }

  static func with(vendor: UInt16, product: UInt16) -> KnownModel? {
    all.first { $0.vendor == vendor && $0.product == product }
  }

  static let all: [KnownModel] = [
    // hid-playstation.c, hid-sony.c
    KnownModel(0x054c, 0x0268, "dualshock3"),
    KnownModel(0x054c, 0x05c4, "dualshock4", hasTouchpad: true),
    KnownModel(0x054c, 0x09cc, "dualshock4", hasTouchpad: true),
    KnownModel(0x054c, 0x0ba0, "dualshock4", hasTouchpad: true),
    KnownModel(0x054c, 0x0ce6, "dualsense", hasTouchpad: true),
    KnownModel(0x054c, 0x0df2, "dualsense-edge", hasTouchpad: true),
    // hid-nintendo.c
    KnownModel(0x057e, 0x2006, "joycon-left", frame: .nintendo),
    KnownModel(0x057e, 0x2007, "joycon-right", frame: .nintendo),
    KnownModel(0x057e, 0x2009, "switch-pro", frame: .nintendo),
    KnownModel(0x057e, 0x200e, "joycon-grip", frame: .nintendo),
    KnownModel(0x057e, 0x2017, "switch-snes", frame: .nintendo),
    KnownModel(0x057e, 0x2019, "switch-n64", frame: .nintendo),
    // hid-wiimote-core.c: the original, and those with MotionPlus inside
    KnownModel(0x057e, 0x0306, "wiimote", frame: .wiimote),
    KnownModel(0x057e, 0x0330, "wiimote", frame: .wiimote),
    // hid-steam.c
    KnownModel(0x28de, 0x1102, "steam-controller"),
    KnownModel(0x28de, 0x1142, "steam-controller"),
    KnownModel(0x28de, 0x1205, "steam-deck", hasMadeUpClock: true),
    // xpad.c, hid-microsoft.c
    KnownModel(0x045e, 0x028e, "xbox-360"),
    KnownModel(0x045e, 0x028f, "xbox-360"),
    KnownModel(0x045e, 0x0719, "xbox-360"),
    KnownModel(0x045e, 0x02d1, "xbox-one"),
    KnownModel(0x045e, 0x02dd, "xbox-one"),
    KnownModel(0x045e, 0x02e0, "xbox-one"),
    KnownModel(0x045e, 0x02ea, "xbox-one"),
    KnownModel(0x045e, 0x02fd, "xbox-one"),
    KnownModel(0x045e, 0x0b20, "xbox-one"),
    KnownModel(0x045e, 0x02e3, "xbox-elite"),
    KnownModel(0x045e, 0x0b00, "xbox-elite"),
    KnownModel(0x045e, 0x0b05, "xbox-elite"),
    KnownModel(0x045e, 0x0b22, "xbox-elite"),
    KnownModel(0x045e, 0x0b12, "xbox-series"),
    KnownModel(0x045e, 0x0b13, "xbox-series"),
    // hid-google-stadiaff.c
    KnownModel(0x18d1, 0x9400, "stadia"),
  ]
}

/// Every name that `model=` knows, for suggestions.
public var knownModelNames: [String] {
  var names: [String] = []
  for model in KnownModel.all where !names.contains(model.name) { names.append(model.name) }
  return names
}
