<CsoundSynthesizer>
<CsOptions>
-odac -d -m128
</CsOptions>
<CsInstruments>
; A drone that tilting shapes, a plucked voice for the buttons and a bass for the shoulders.
; It plays without a mapping too: the values below hold, and Sonde feeds the motion channels.

sr     = 48000
ksmps  = 32
nchnls = 2
0dbfs  = 1

giSine ftgen 0, 0, 16384, 10, 1
giSoft ftgen 0, 0, 16384, 10, 1, 0.5, 0.33, 0.2, 0.12, 0.08, 0.05

gaLeft  init 0
gaRight init 0

chnset 900,  "cutoff"
chnset 0.25, "swell"
chnset 0.3,  "echo"
chnset 0.5,  "bright"

alwayson "Drone"
alwayson "Room"

instr Drone
  kRoll    chnget "attitudeRoll"        ; radians
  kPitch   chnget "attitudePitch"
  kAcross  chnget "accelerometerX"      ; g
  kCutoff  chnget "cutoff"              ; Hz
  kSwell   chnget "swell"               ; 0..1
  kBend    chnget "bend"                ; -1..1: two semitones
  kShimmer chnget "shimmer"             ; -1..1

  kBase    = cpsmidinn(48 + 2 * kBend)
  kDetune  = 1.003 + 0.004 * abs(kShimmer)
  a1       vco2 0.22, kBase
  a2       vco2 0.22, kBase * kDetune
  a3       vco2 0.16, kBase * 1.5 * (1 + 0.002 * sin(kPitch))
  a4       poscil 0.10 * (1 + abs(kShimmer)), kBase * 2, giSoft
  kMoving  portk limit(kCutoff * (1 + 0.6 * sin(kRoll)), 60, 12000), 0.02
  aTone    moogladder a1 + a2 + a3 + a4, kMoving, 0.25
  kLevel   portk limit(kSwell, 0, 1), 0.03
  aTone    = aTone * kLevel * 0.55

  kPan     portk limit(0.5 + 0.4 * kAcross, 0, 1), 0.05
  aL, aR   pan2 aTone, kPan
  gaLeft   += aL * 0.35
  gaRight  += aR * 0.35
  outs     aL, aR
endin

; p4 key, p5 velocity; held until released
instr Pluck
  iFrequency = cpsmidinn(p4)
  iLevel     = (p5 / 127) ^ 1.5 * 0.32
  kBright    chnget "bright"            ; 0..1
  aBody      pluck iLevel, iFrequency, iFrequency, 0, 1
  kFade      expsegr 1, 0.3, 0.2, 0.6, 0.01
  aTone      = aBody + poscil(iLevel * 0.3, iFrequency * 2, giSoft) * kFade
  aTone      butterlp aTone, 900 + 5000 * limit(kBright, 0, 1)
  aTone      *= linsegr(0, 0.004, 1, 0.7, 0)
  aL, aR     pan2 aTone, 0.5 + 0.3 * sin(p4)
  gaLeft     += aL * 0.6
  gaRight    += aR * 0.6
  outs       aL, aR
endin

instr Bass
  iFrequency = cpsmidinn(p4)
  iLevel     = (p5 / 127) * 0.3
  kSweep     expsegr 1400, 0.4, 300, 0.3, 100
  aTone      moogladder vco2(iLevel, iFrequency), kSweep, 0.3
  aTone      += poscil(iLevel * 0.6, iFrequency, giSine)
  aTone      *= linsegr(0, 0.006, 1, 0.25, 0)
  outs       aTone, aTone
endin

instr Room
  kEcho    chnget "echo"
  aL, aR   reverbsc gaLeft, gaRight, 0.82, 7000
  kWet     portk limit(kEcho, 0, 1), 0.05
  outs     aL * kWet, aR * kWet
  gaLeft   = 0
  gaRight  = 0
endin
</CsInstruments>
<CsScore>
</CsScore>
</CsoundSynthesizer>
