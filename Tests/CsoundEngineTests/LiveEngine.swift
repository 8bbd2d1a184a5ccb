import Audio
import CsoundEngine
import Events
import LinuxIO

/// A run on the timer, without realtime priority.
func live(_ text: String, _ slots: [EnginePatch.Slot] = []) -> EngineConfiguration {
  var given = configuration(text, slots: slots)
  given.output = .none
  given.priority = nil
  return given
}

/// Looks again and again for up to ten seconds: no test depends on how fast this machine is.
func eventually(_ condition: () -> Bool) -> Bool {
  let end = monotonicNow() + 10 * .perSecond
  while monotonicNow() < end {
    if condition() { return true }
    sleepUntil(monotonicNow() + 2_000_000)
  }
  return condition()
}

/// A CSD that copies the channel `in` to `out` and has an instrument `Blip`.
let mirror = csd(
  """
  instr 1
   k1 chnget "in"
   chnset k1, "out"
  endin
  instr Blip
   chnset p4, "key"
  endin
  schedule 1, 0, -1
  """)
