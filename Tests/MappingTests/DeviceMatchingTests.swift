import Events
import Mapping
import Testing

/// If these fail, two players swap instruments when a cable is pulled.
@Suite struct DeviceMatchingTests {
  typealias Present = [(device: DeviceIndex, description: DeviceDescription)]
  typealias Binding = DeviceMatching.Binding

  static func pad(
    _ uniq: String = "", serial: String = "", path: String = "", model: String = "dualsense",
    controls: [String] = ["left", "accelerometer", "gyro"]
  ) -> DeviceDescription {
    DeviceDescription(
      kind: .gamepad, name: "Wireless Controller", model: model, vendor: 0x054c, product: 0x0ce6,
      uniq: uniq, serial: serial, path: path, controls: controls)
  }

  static func declared(
    _ name: String, _ kind: DeviceDescription.Kind = .gamepad,
    _ matchers: DeviceDeclaration.Matchers = .init()
  ) -> DeviceDeclaration {
    DeviceDeclaration(name: name, role: .declared(kind), matchers: matchers)
  }

  static let one = pad("01")
  static let two = pad("02")
  static let three = pad("03")

  /// Which `uniq` each declaration is bound to now, "-" for none.
  static func meaning(_ matching: DeviceMatching, _ present: Present) -> [String] {
    matching.declarations.indices.map { number in
      let devices = matching.bindings.filter { $0.declaration == number }.map(\.device)
      return devices.isEmpty
        ? "-"
        : devices.map { index in
          present.first { $0.device == index }?.description.uniq ?? "gone"
        }.joined(separator: "+")
    }
  }

  @Test func nothingPluggedInWaits() {
    var matching = DeviceMatching([Self.declared("a")])
    #expect(matching.update([]) == [])
    #expect(
      matching.update([(3, Self.one)]) == [.bind(Binding(declaration: 0, device: 3))])
    #expect(matching.update([(3, Self.one)]) == [])
    #expect(matching.update([]) == [.unbind(Binding(declaration: 0, device: 3))])
  }

  @Test func twinsPresentAtTheStartAreTakenInTheOrderOfTheirIdentities() {
    let orders: [Present] = [
      [(0, Self.one), (1, Self.two)], [(0, Self.two), (1, Self.one)],
      [(9, Self.two), (4, Self.one)],
    ]
    for present in orders {
      var matching = DeviceMatching([Self.declared("a"), Self.declared("b")])
      _ = matching.update(present)
      #expect(Self.meaning(matching, present) == ["01", "02"])
    }
  }

  @Test func twinsKeepTheirLinesThroughEveryReplug() {
    var matching = DeviceMatching([Self.declared("a"), Self.declared("b")])
    let start: Present = [(0, Self.one), (1, Self.two)]
    _ = matching.update(start)
    // Both leave and come back in the other order, with each other's numbers.
    _ = matching.update([])
    let half: Present = [(0, Self.two)]
    _ = matching.update(half)
    #expect(Self.meaning(matching, half) == ["-", "02"])
    let swapped: Present = [(0, Self.two), (1, Self.one)]
    _ = matching.update(swapped)
    #expect(Self.meaning(matching, swapped) == ["01", "02"])
    // One leaves while the other stays.
    let rest: Present = [(1, Self.one)]
    _ = matching.update(rest)
    #expect(Self.meaning(matching, rest) == ["01", "-"])
  }

  @Test func pluggedInOneByOneTheFirstLineIsServedFirstAndKeepsItsDevice() {
    var matching = DeviceMatching([Self.declared("a"), Self.declared("b")])
    _ = matching.update([(0, Self.two)])
    let both: Present = [(0, Self.two), (1, Self.one)]
    #expect(matching.update(both) == [.bind(Binding(declaration: 1, device: 1))])
    #expect(Self.meaning(matching, both) == ["02", "01"])
  }

  @Test func aNumberThatPassedToTheTwinBetweenTwoLooksIsNoticed() {
    var matching = DeviceMatching([Self.declared("a"), Self.declared("b")])
    _ = matching.update([(0, Self.one), (1, Self.two)])
    let swapped: Present = [(0, Self.two), (1, Self.one)]
    let changes = matching.update(swapped)
    #expect(Self.meaning(matching, swapped) == ["01", "02"])
    #expect(
      changes == [
        .unbind(Binding(declaration: 0, device: 0)), .unbind(Binding(declaration: 1, device: 1)),
        .bind(Binding(declaration: 0, device: 1)), .bind(Binding(declaration: 1, device: 0)),
      ])
    // The same number, another device for the same line: what is held must be released.
    var single = DeviceMatching([Self.declared("a")])
    _ = single.update([(0, Self.one)])
    #expect(
      single.update([(0, Self.two)]) == [
        .unbind(Binding(declaration: 0, device: 0)), .bind(Binding(declaration: 0, device: 0)),
      ])
  }

  @Test func indexCountsByIdentityWhateverTheOrderOfArrival() {
    let declarations = [
      Self.declared("a", .gamepad, .init(index: 1)), Self.declared("b", .gamepad, .init(index: 2)),
      Self.declared("c", .gamepad, .init(index: 3)),
    ]
    let devices = [Self.one, Self.two, Self.three]
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
      var matching = DeviceMatching(declarations)
      var present: Present = []
      for (arrival, place) in order.enumerated() {
        present.append((DeviceIndex(arrival), devices[place]))
        _ = matching.update(present)
      }
      #expect(Self.meaning(matching, present) == ["01", "02", "03"], "\(order)")
      // The first leaves: the others stay what they are.
      present.removeAll { $0.description == Self.one }
      _ = matching.update(present)
      #expect(Self.meaning(matching, present) == ["-", "02", "03"])
    }
  }

  @Test func aSpareStandsInForATwinThatIsAway() {
    var matching = DeviceMatching([Self.declared("a"), Self.declared("b")])
    _ = matching.update([(0, Self.one), (1, Self.two)])
    let spare: Present = [(1, Self.two), (2, Self.three)]
    _ = matching.update(spare)
    #expect(Self.meaning(matching, spare) == ["03", "02"])

    var counted = DeviceMatching([Self.declared("a", .gamepad, .init(index: 1))])
    _ = counted.update([(0, Self.one)])
    let other: Present = [(1, Self.two)]
    _ = counted.update(other)
    #expect(Self.meaning(counted, other) == ["02"])
    let back: Present = [(1, Self.two), (0, Self.one)]
    _ = counted.update(back)
    #expect(Self.meaning(counted, back) == ["01"])
  }

  @Test func claimsGoInFileOrderAndADeviceHasOneLine() {
    let any = Self.declared("any")
    let exact = Self.declared("exact", .gamepad, .init(uniq: "01"))
    let present: Present = [(0, Self.one), (1, Self.two)]
    var matching = DeviceMatching([any, exact])
    _ = matching.update(present)
    #expect(Self.meaning(matching, present) == ["01", "-"])
    matching = DeviceMatching([exact, any])
    _ = matching.update(present)
    #expect(Self.meaning(matching, present) == ["01", "02"])
  }

  @Test func everyMatcherCounts() {
    let device = Self.pad("aa:bb", serial: "S1", path: "usb-1.2")
    let cases: [(DeviceDeclaration.Matchers, Bool)] = [
      (.init(), true), (.init(name: "Wire*"), true), (.init(name: "Wired*"), false),
      (.init(model: "dualsense"), true), (.init(model: "dualshock4"), false),
      (.init(uniq: "aa:*"), true), (.init(uniq: "bb:*"), false), (.init(serial: "S?"), true),
      (.init(serial: "T?"), false), (.init(path: "usb-*"), true), (.init(path: "pci-*"), false),
      (.init(vendor: 0x054c), true), (.init(vendor: 0x057e), false),
      (.init(product: 0x0ce6), true), (.init(product: 1), false),
      (.init(vendor: 0x054c, product: 1), false),
    ]
    for (matchers, expected) in cases {
      var matching = DeviceMatching([Self.declared("a", .gamepad, matchers)])
      #expect(matching.update([(0, device)]).isEmpty != expected, "\(matchers)")
    }
    #expect(!Self.declared("a", .imu).matches(device))
    let unknown = DeviceDescription(kind: .gamepad, name: "x")
    #expect(!Self.declared("a", .gamepad, .init(model: "*")).matches(unknown))
  }

  @Test func gamepadIsTheFirstAndDoesNotTakeBack() {
    var matching = DeviceMatching([
      Self.declared("a", .gamepad, .init(uniq: "01")),
      DeviceDeclaration(name: "gamepad", role: .first(.gamepad)),
    ])
    let both: Present = [(0, Self.two), (1, Self.one)]
    _ = matching.update(both)
    #expect(Self.meaning(matching, both) == ["01", "01"])  // declared or not
    let left: Present = [(0, Self.two)]
    _ = matching.update(left)
    #expect(Self.meaning(matching, left) == ["-", "02"])
    _ = matching.update(both)
    #expect(Self.meaning(matching, both) == ["01", "02"])
  }

  @Test func motionIsAPadWithSensorsThenAnIMU() {
    let plain = Self.pad("00", controls: ["left", "south"])
    let imu = DeviceDescription(kind: .imu, name: "accel_3d", uniq: "00")
    let midi = DeviceDescription(kind: .midi, name: "KeyStep", uniq: "k")
    var matching = DeviceMatching([DeviceDeclaration(name: "motion", role: .motion)])
    let all: Present = [(0, plain), (1, imu), (2, midi), (3, Self.two)]
    _ = matching.update(all)
    #expect(matching.bindings == [Binding(declaration: 0, device: 3)])
    let without: Present = [(0, plain), (1, imu), (2, midi)]
    #expect(
      matching.update(without) == [
        .unbind(Binding(declaration: 0, device: 3)), .bind(Binding(declaration: 0, device: 1)),
      ])
    #expect(matching.update(all) == [])  // it does not take back
    #expect(matching.update([(0, plain), (2, midi)]).count == 1)
    #expect(matching.bindings.isEmpty)
  }

  @Test func aPadWhoseSensorsAreSeenLaterBecomesMotionThen() {
    var matching = DeviceMatching([
      DeviceDeclaration(name: "motion", role: .motion), Self.declared("a"),
    ])
    let unknown = Self.pad("01", controls: [])
    #expect(matching.update([(0, unknown)]) == [.bind(Binding(declaration: 1, device: 0))])
    #expect(
      matching.update([(0, Self.pad("01", controls: ["gyro"]))])
        == [.bind(Binding(declaration: 0, device: 0))])
  }

  @Test func midiIsEveryMIDIDevice() {
    let a = DeviceDescription(kind: .midi, name: "a", path: "p1")
    let b = DeviceDescription(kind: .midi, name: "b", path: "p2")
    var matching = DeviceMatching([
      DeviceDeclaration(name: "midi", role: .allMIDI), Self.declared("keys", .midi),
    ])
    _ = matching.update([(5, b), (6, a), (7, Self.one)])
    #expect(
      matching.bindings == [
        Binding(declaration: 0, device: 5), Binding(declaration: 0, device: 6),
        Binding(declaration: 1, device: 6),
      ])
  }

  @Test func aReloadKeepsTheTwins() {
    var matching = DeviceMatching([Self.declared("a"), Self.declared("b")])
    _ = matching.update([(0, Self.two)])
    let both: Present = [(0, Self.two), (1, Self.one)]
    _ = matching.update(both)
    #expect(Self.meaning(matching, both) == ["02", "01"])
    matching.replaceDeclarations([Self.declared("new"), Self.declared("b"), Self.declared("a")])
    #expect(Self.meaning(matching, both) == ["-", "01", "02"])
    // A line that now asks for another device lets go.
    matching.replaceDeclarations([
      Self.declared("a", .gamepad, .init(uniq: "01")), Self.declared("b"),
    ])
    #expect(Self.meaning(matching, both) == ["-", "01"])
    matching.replaceDeclarations([Self.declared("b", .gamepad, .init(uniq: "02"))])
    #expect(Self.meaning(matching, both) == ["02"])
  }

  @Test func theIdentityIsTheBestThatTellsTwinsApart() {
    var matching = DeviceMatching([])
    _ = matching.update([
      (0, Self.pad("02:03", serial: "s", path: "p0")), (1, Self.pad(serial: "s1", path: "p1")),
      (2, Self.pad(path: "p2")), (3, Self.pad()), (4, Self.pad()),
      (5, Self.pad("02:03", path: "p5")),  // a maker that gives all its devices one address
    ])
    let labels = (0...5).map { matching.identity(of: DeviceIndex($0))?.label }
    #expect(
      labels == [
        "02:03 (uniq)", "s1 (serial)", "p2 (path)", "no. 4 (order of arrival)",
        "no. 5 (order of arrival)", "p5 (path)",
      ])
    #expect(matching.identity(of: 6) == nil)
  }

  @Test func twinsWithoutAnyIdentityGoByTheOrderOfArrival() {
    var matching = DeviceMatching([
      Self.declared("a", .gamepad, .init(index: 1)), Self.declared("b", .gamepad, .init(index: 2)),
    ])
    _ = matching.update([(7, Self.pad())])
    _ = matching.update([(7, Self.pad()), (3, Self.pad())])
    #expect(
      matching.bindings == [Binding(declaration: 0, device: 7), Binding(declaration: 1, device: 3)])
    // The other stays what it is, and what comes back takes the free place.
    _ = matching.update([(3, Self.pad())])
    #expect(matching.bindings == [Binding(declaration: 1, device: 3)])
    for _ in 0..<50 {
      _ = matching.update([(3, Self.pad()), (9, Self.pad())])
      #expect(
        matching.bindings
          == [Binding(declaration: 0, device: 9), Binding(declaration: 1, device: 3)])
      _ = matching.update([(3, Self.pad())])
    }
  }
}
