import Audio
import CsoundEngine
import Events
import LabSupport
import LinuxIO
import Testing

extension JACKSuites {
  /// If one of these fails, the delay between a gesture and its sound is not one and the same.
  @Suite struct JACKTimingTests {
    /// A gesture in the test, on JACK's clock and on Sonde's.
    private struct Gesture {
      var value: Float
      var frame: UInt32
      /// The delay that the engine promised, up to the ports.
      var latency: Int
    }

    private func atPorts(_ statistics: EngineStatistics) -> Int {
      statistics.latencyFrames - frames(statistics.latencyParts.device, rate: statistics.rate)
    }

    private func frames(_ time: Nanoseconds, rate: Int = 48000) -> Int {
      Int((Double(time) * Double(rate) / 1e9).rounded())
    }

    /// The promised delay, to one k-cycle, by the account of the engine and by what another client hears.
    ///
    /// Events that something disturbed do not count: an xrun near them, or a test thread that was held up.
    @Test(arguments: [64, 256, 1024], [10, 32, 100])
    func onsetsLieWithinOneCycle(period: Int, ksmps: Int) throws {
      let rate = JACKSuites.calmRate(period: period)
      let server = try JACKServer(
        name: JACKServer.uniqueName("timing"), rate: rate, period: period)
      var given = JACKSuites.configuration(
        csd(
          "instr 1\nk1 chnget \"in\"\nout upsamp(k1)\nendin\nschedule 1, 0, -1", rate: rate,
          ksmps: ksmps, channels: 1),
        server: server.name, slots: [.channel(name: "in", smoothing: 0)])
      given.accountCapacity = 10_000
      let engine = CsoundEngine(given)
      try engine.start()
      let ear = try #require(try GraphClient(server: server.name, rate: rate, period: period))
      #expect(ear.listen(to: "sonde:out_1"))
      var said: [String] = []
      #expect(JACKSuites.eventually(engine, &said) { ear.samples.count > 8 * period })

      var gestures: [Gesture] = []
      let count = Repetition.count(of: 600)
      var before = engine.statistics
      for number in 1...count {
        let value = 0.25 + Float(number) / 65536
        // Odd distances, so that events fall everywhere in a period.
        sleepUntil(monotonicNow() + 1_370_000 + Nanoseconds(number * 7919 % 997) * 21_000)
        let time = monotonicNow()
        let frame = ear.jack.frameTime(ear.handle)
        engine.commands.push(
          EngineCommand(.value, time: time, slot: 0, value: Double(value)))
        let isQuick = monotonicNow() - time < 20_000
        sleepUntil(time + before.latency + Nanoseconds(2 * period) * .perSecond / Nanoseconds(rate))
        let after = engine.statistics
        let isQuiet =
          after.xruns == before.xruns && after.lateCommands == before.lateCommands
          && after.latency == before.latency
        // An interruption that lasts is counted when it is over: with the next event.
        if !isQuiet { _ = gestures.popLast() }
        if isQuick && isQuiet {
          gestures.append(Gesture(value: value, frame: frame, latency: atPorts(after)))
        }
        before = after
      }
      #expect(JACKSuites.eventually(engine, &said) { engine.account.count == count })
      ear.close()
      engine.stop()
      server.stop()

      // By the engine's own account; the server's line of time moves a little from period to period.
      let frame = .perSecond / Nanoseconds(rate)
      let cycle = Nanoseconds(ksmps) * .perSecond / Nanoseconds(rate) + 1
      let inTime = engine.account.filter { !$0.wasLate }
      #expect(
        inTime.allSatisfy {
          let sounds = $0.time + $0.latency
          return $0.frameTime <= sounds + frame && sounds < $0.frameTime + cycle + frame
        })

      // By the other client: where each value began, in JACK's count.
      var onsets: [Float: UInt32] = [:]
      var broken: [UInt32] = []
      let samples = ear.samples
      var last: Float = 0
      for cycle in ear.cycles {
        if cycle.isBroken { broken.append(cycle.frame) }
        for index in cycle.first..<cycle.first + cycle.count where samples[index] != last {
          last = samples[index]
          onsets[last] = cycle.frame &+ UInt32(index - cycle.first)
        }
      }
      var delays: [Int] = []
      var wrong: [String] = []
      for gesture in gestures {
        let reach = gesture.latency + 3 * period
        let isDisturbed = broken.contains {
          abs(Int(Int32(bitPattern: $0 &- gesture.frame))) < reach
        }
        if isDisturbed { continue }
        let onset = try #require(onsets[gesture.value])
        let delay = Int(Int32(bitPattern: onset &- gesture.frame))
        delays.append(delay)
        let bend = ear.cycles.reduce(0.0) { sum, cycle in
          let distance = Int(Int32(bitPattern: cycle.frame &- gesture.frame))
          return distance > -2 * period && distance < delay + period ? sum + abs(cycle.bend) : sum
        }
        // Three frames for the rounding of JACK's clocks to microseconds and frames, and for the time between them.
        let tolerance = 3 + Int(bend.rounded(.up))
        if delay > gesture.latency + tolerance || delay <= gesture.latency - ksmps - tolerance {
          wrong.append("\(delay) of \(gesture.latency) ± \(tolerance)")
        }
        // L: a period, a k-cycle where they do not divide it, and a margin of half a millisecond or more.
        let least = period + (period % ksmps == 0 ? 0 : ksmps) + rate / 2000
        #expect(gesture.latency >= least && gesture.latency < least + ksmps + rate / 50)
      }
      // The account above is exact. What another client hears depends on the server's punctuality as well: on a busy
      // machine a few gestures meet a cycle that was late without being called interrupted.
      #expect(wrong.count * 10 <= delays.count, "\(wrong)")
      #expect(delays.count > count / 4, "of \(count), \(broken.count) broken cycles")
      print(
        "N \(period), ksmps \(ksmps): \(delays.count) of \(count) events, \(delays.min() ?? 0)…\(delays.max() ?? 0) frames, \(engine.statistics.xruns) xruns"
      )
    }

    /// Another buffer size in the middle of the music: it goes on, at once, with the delay that belongs to it.
    @Test func aChangedBufferSizeIsFollowed() throws {
      let server = try JACKServer(name: JACKServer.uniqueName("size"), period: 256)
      let engine = CsoundEngine(
        JACKSuites.configuration(
          csd(GraphRamp.instrument, ksmps: 100, channels: 1), server: server.name))
      try engine.start()
      let ear = try #require(try GraphClient(server: server.name))
      #expect(ear.listen(to: "sonde:out_1"))
      var said: [String] = []
      for period in [1024, 64, 200, 512] {
        #expect(ear.jack.setBufferSize(ear.handle, UInt32(period)) == 0)
        #expect(JACKSuites.eventually(engine, &said) { engine.statistics.period == period })
        // JACK's own word on the way from the port to the sound.
        let found = ear.jack.portByName(ear.handle, "sonde:out_1")
        let port = try #require(found)
        let way = { ear.jack.latencyRange(of: port, mode: JACKLibrary.playbackLatency).most }
        // It grows at once, and shrinks in steps that are not heard; 200 frames are two k-cycles, but what was
        // computed ahead before stays ahead.
        #expect(
          JACKSuites.eventually(engine, &said) {
            let parts = engine.statistics.latencyParts
            return frames(parts.buffer) == period && (frames(parts.cycle) == 100 || period == 200)
              && frames(parts.device) == way() && frames(parts.margin) >= 24
              && abs(engine.statistics.latency - parts.total) < 10
          }, "\(engine.statistics.latencyParts), \(engine.statistics.latency), \(way())")
        let first = ear.samples.count
        #expect(JACKSuites.eventually(engine, &said) { ear.samples.count > first + 24000 })
        let heard = ear.samples[first...].compactMap { GraphRamp.frame(of: $0) }
        let steps = zip(heard, heard.dropFirst()).count { $0 + 1 == $1 }
        #expect(steps > 20000)
        #expect(said.filter { $0.contains("period of \(period) frames") }.count == 1)
      }
      ear.close()
      engine.stop()
      server.stop()
      #expect(engine.statistics.deviceLosses == 0)
    }
  }
}
