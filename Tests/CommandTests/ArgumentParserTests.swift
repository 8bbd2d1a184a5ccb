import Testing

@testable import sonde

@Suite struct ArgumentParserTests {
  private func message(_ arguments: [String]) -> String? {
    do throws(UsageError) {
      _ = try ArgumentParser.parse(arguments)
      return nil
    } catch {
      return error.message
    }
  }

  @Test func valuesFollowAsAWordOrAfterAnEqualsSign() throws {
    let invocation = try ArgumentParser.parse(
      ["play", "a.csd", "--map", "x.map", "--map=y.map", "--for=2s", "--", "-b", "64"])
    #expect(invocation.operands == ["a.csd"])
    #expect(invocation.values("map") == ["x.map", "y.map"])
    #expect(invocation.value("for") == "2s")
    #expect(invocation.csoundOptions == ["-b", "64"])
  }

  @Test func aDashIsAnOperandAndTwoDashesEndOptions() throws {
    #expect(try ArgumentParser.parse(["trace", "-"]).operands == ["-"])
    #expect(try ArgumentParser.parse(["trace", "--", "--odd.take"]).operands == ["--odd.take"])
  }

  @Test func everyMistakeSaysWhatToDo() {
    #expect(message(["paly"]) == "There is no command 'paly'; did you mean 'play'?")
    #expect(
      message(["play", "--mapp", "x"])
        == "There is no option '--mapp' of 'sonde play'; did you mean '--map'?")
    #expect(message(["play", "--map"]) == "'--map' needs a value: --map FILE.")
    #expect(message(["play", "--map="]) == "'--map' needs a value: --map FILE.")
    #expect(message(["play", "--live=yes"]) == "'--live' takes no value.")
    #expect(message(["play", "--for=1s", "--for=2s"]) == "'--for' was given twice.")
    #expect(message(["play", "a", "b"]) == "'sonde play' has no use for 'b'.")
    #expect(message(["check"]) == "'sonde check' needs FILE….")
    #expect(
      message(["play", "--audio", "pulse"]) == "'--audio' is one of alsa, jack, none, not 'pulse'.")
    #expect(
      message(["play", "-b"])
        == "There is no option '-b' of 'sonde play'; options for Csound follow '--'.")
  }

  @Test func helpAndVersionWorkEverywhereWhateverElseIsMissing() throws {
    for command in CommandSpecification.all {
      #expect(try ArgumentParser.parse([command.name, "--help"]).has("help"))
      #expect(try ArgumentParser.parse([command.name, "--version"]).has("version"))
    }
    #expect(try ArgumentParser.parse([]).command == "help")
  }

  @Test func timesHaveUnits() {
    #expect(nanoseconds(of: "20s") == 20_000_000_000)
    #expect(nanoseconds(of: "1.5s") == 1_500_000_000)
    #expect(nanoseconds(of: "250ms") == 250_000_000)
    for wrong in ["20", "", "s", "-1s", "0s", "nans", "infs", "1e300s", "2 s"] {
      #expect(nanoseconds(of: wrong) == nil, "\(wrong)")
    }
  }
}
