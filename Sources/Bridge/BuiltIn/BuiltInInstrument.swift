/// What plays when the user names neither an instrument nor a mapping.
public enum BuiltIn {
  /// The mapping of a pad's sticks, triggers and buttons; the motion channels feed themselves.
  public static let map = """
    # The built-in mapping: sticks bend and colour a voice, triggers swell it, buttons are bells.
    # Tilting the device (any motion sensor) makes it sound as well.
    gamepad.left          | deadzone 0.1 radial | smooth 10ms -> pitch, vibrato
    gamepad.right         | deadzone 0.1 radial | smooth 20ms -> pan, tone
    gamepad.right.trigger | smooth 20ms                       -> swell
    gamepad.left.trigger  | smooth 20ms                       -> growl
    gamepad.south         -> note Bell key=C4
    gamepad.east          -> note Bell key=E4
    gamepad.west          -> note Bell key=G4
    gamepad.north         -> note Bell key=C5
    gamepad.dpad.down     -> note Bell key=D4
    gamepad.dpad.left     -> note Bell key=F4
    gamepad.dpad.right    -> note Bell key=A4
    gamepad.dpad.up       -> note Bell key=D5
    gamepad.left.shoulder  -> note Bell key=C3
    gamepad.right.shoulder -> note Bell key=G3
    """

  /// The name under which messages speak of `map`.
  public static let mapName = "built-in mapping"

  /// The instrument: a voice that is silent at rest, and bells.
  public static let csd = """
    <CsoundSynthesizer>
    <CsOptions>
    -odac -d -m128
    </CsOptions>
    <CsInstruments>
    sr     = 48000
    ksmps  = 32
    nchnls = 2
    0dbfs  = 1

    gaLeft  init 0
    gaRight init 0
    alwayson "Voice"
    alwayson "Room"

    instr Voice
      kPitch   chnget "pitch"
      kVibrato chnget "vibrato"
      kPan     chnget "pan"
      kTone    chnget "tone"
      kSwell   chnget "swell"
      kGrowl   chnget "growl"
      kRoll    chnget "attitudeRoll"
      kTilt    chnget "attitudePitch"
      ; Level is the height above the horizon at which one tilts, or the trigger, or the stick.
      kHeard   = limit(abs(kRoll) + abs(kTilt) - 0.15, 0, 1) * 0.6
      kLevel   portk limit(kHeard + kSwell + 0.4 * abs(kPitch), 0, 1), 0.04
      kWave    lfo 0.35 * abs(kVibrato), 5.5
      kKey     = 57 + 12 * kPitch + kWave
      kCutoff  portk 500 * 2 ^ (2.2 * kTone + 1.6 * kRoll + 1.5 * kSwell), 0.02
      aTone    vco2 0.3, cpsmidinn(kKey)
      aDeep    vco2 0.3 * kGrowl, cpsmidinn(kKey - 12), 10
      aTone    moogladder aTone + aDeep, limit(kCutoff, 80, 11000), 0.3
      aTone    *= kLevel * 0.5
      aL, aR   pan2 aTone, portk(limit(0.5 + 0.5 * kPan, 0, 1), 0.05)
      gaLeft   += aL * 0.3
      gaRight  += aR * 0.3
      outs     aL, aR
    endin

    ; p4 key, p5 velocity; held until released
    instr Bell
      iFrequency = cpsmidinn(p4)
      iLevel     = (p5 / 127) * 0.16
      kIndex     expsegr 3, 0.8, 0.6, 0.8, 0.05
      aTone      foscil iLevel, iFrequency, 1, 3.5, kIndex
      aTone      *= linsegr(0, 0.003, 1, 0.9, 0)
      gaLeft     += aTone * 0.5
      gaRight    += aTone * 0.5
      outs       aTone, aTone
    endin

    instr Room
      aL, aR   reverbsc gaLeft, gaRight, 0.8, 6500
      outs     aL * 0.35, aR * 0.35
      gaLeft   = 0
      gaRight  = 0
    endin
    </CsInstruments>
    <CsScore>
    </CsScore>
    </CsoundSynthesizer>
    """
}
