import CsoundEngine
import Events

/// A CSD around an orchestra and a score.
func csd(
  _ orchestra: String, score: String = "", options: String = "", rate: Int = 48000, ksmps: Int = 32,
  channels: Int = 2
) -> String {
  """
  <CsoundSynthesizer>
  <CsOptions>
  \(options)
  </CsOptions>
  <CsInstruments>
  sr = \(rate)
  ksmps = \(ksmps)
  nchnls = \(channels)
  0dbfs = 1
  \(orchestra)
  </CsInstruments>
  <CsScore>
  \(score)
  </CsScore>
  </CsoundSynthesizer>

  """
}

func configuration(_ text: String, slots: [EnginePatch.Slot] = []) -> EngineConfiguration {
  EngineConfiguration(
    .text(text, name: "test.csd", folder: "/tmp"),
    patch: EnginePatch(generation: 1, slots: slots))
}

/// Commands from a list, in its order.
struct ListSource: CommandSource {
  var commands: [EngineCommand]
  var next = 0

  init(_ commands: [EngineCommand] = []) { self.commands = commands }

  mutating func commands(before limit: Nanoseconds, into queue: CommandQueue) -> Bool {
    while next < commands.count && commands[next].time < limit {
      queue.append(commands[next])
      next += 1
    }
    return next < commands.count
  }
}

/// What a channel was in every k-cycle.
func channelValues(
  _ name: String, _ configuration: EngineConfiguration, _ commands: [EngineCommand],
  until end: Nanoseconds
) throws(EngineError) -> [Double] {
  var values: [Double] = []
  var source = ListSource(commands)
  _ = try OfflineRender(configuration, output: nil).run(&source, until: end) { _ in
  } probe: {
    values.append($0.channel(name))
  }
  return values
}
