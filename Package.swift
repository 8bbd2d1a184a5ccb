// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("ExistentialAny"),
]

func library(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

func command(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(name: name, dependencies: dependencies, swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: dependencies, swiftSettings: settings)
}

let package = Package(
  name: "Sonde",
  products: [
    .executable(name: "sonde", targets: ["sonde"]),
    .library(name: "CsoundEngine", targets: ["CsoundEngine"]),
    .library(name: "Widgets", targets: ["Widgets"]),
    .library(name: "Mapping", targets: ["Mapping"]),
    .library(name: "Motion", targets: ["Motion"]),
    .library(name: "Bridge", targets: ["Bridge"]),
  ],
  targets: [
    // C libraries of the system, and what Glibc's own module lacks.
    .systemLibrary(name: "CCsound"),
    .systemLibrary(name: "CEvdev", pkgConfig: "libevdev"),
    .systemLibrary(name: "CALSA", pkgConfig: "alsa"),
    .systemLibrary(name: "CJACK"),
    .systemLibrary(name: "CUdev", pkgConfig: "libudev"),
    .systemLibrary(name: "CSndfile", pkgConfig: "sndfile"),
    .systemLibrary(name: "CDBus", pkgConfig: "dbus-1"),
    .systemLibrary(name: "CSampleRate", pkgConfig: "samplerate"),
    .target(name: "CLinux", cSettings: [.define("_GNU_SOURCE")]),
    .target(name: "CMath", linkerSettings: [.linkedLibrary("m")]),

    library("Events", []),
    library("LinuxIO", ["CLinux", "CDBus"]),
    library("Motion", ["Events", "CMath"]),
    library("Widgets", ["Events", "CMath"]),
    library("Mapping", ["Motion", "Widgets", "Events", "CMath"]),
    library("DeviceWatch", ["Events", "LinuxIO", "CUdev"]),
    library("EvdevInput", ["Motion", "Events", "LinuxIO", "CEvdev"]),
    library("Audio", ["LinuxIO", "Events", "CALSA", "CJACK", "CSampleRate", "CMath"]),
    library("CsoundEngine", ["Audio", "Widgets", "Events", "LinuxIO", "CCsound", "CSndfile"]),
    library(
      "Bridge",
      [
        "EvdevInput", "DeviceWatch", "Audio", "CsoundEngine", "Mapping", "Widgets", "Motion",
        "Events", "LinuxIO",
      ]),
    command("sonde", ["Bridge", "Audio", "CsoundEngine", "Mapping", "Events", "LinuxIO"]),
    command(
      "sonde-bench",
      [
        "Bridge", "EvdevInput", "Audio", "CsoundEngine", "Mapping", "Widgets", "Events", "LinuxIO",
      ]),

    tests("EventsTests", ["Events"]),
    tests("LinuxIOTests", ["LinuxIO"]),
    tests("MotionTests", ["Motion", "Events"]),
    tests("WidgetsTests", ["Widgets", "Events"]),
    tests("MappingTests", ["Mapping", "Motion", "Widgets", "Events"]),
    tests("EvdevInputTests", ["EvdevInput", "Events", "LinuxIO"]),
    tests("DeviceWatchTests", ["DeviceWatch", "Events", "LinuxIO"]),
    tests("AudioTests", ["Audio", "Events", "LinuxIO"]),
    tests(
      "CsoundEngineTests",
      ["CsoundEngine", "Audio", "Widgets", "LabSupport", "Events", "LinuxIO"]),
    tests(
      "BridgeTests",
      [
        "Bridge", "Mapping", "CsoundEngine", "Audio", "EvdevInput", "DeviceWatch", "Events",
        "LinuxIO",
      ]),
    tests("CommandTests", ["sonde", "Bridge", "Events"]),
    tests("BenchmarkTests", ["sonde-bench", "Bridge", "Mapping", "Events", "LinuxIO"]),

    // The virtual hardware lab: devices to plug in, and the suites that run beside a real kernel.
    .target(
      name: "LabSupport", dependencies: ["LinuxIO"], path: "Tests/LabSupport",
      swiftSettings: settings),
    .testTarget(
      name: "LabTests",
      dependencies: [
        "LabSupport", "Bridge", "EvdevInput", "DeviceWatch", "Audio", "CsoundEngine", "Events",
        "LinuxIO",
      ], path: "Tests/Lab", exclude: ["vm", "initramfs", "guest"], swiftSettings: settings),
  ]
)
