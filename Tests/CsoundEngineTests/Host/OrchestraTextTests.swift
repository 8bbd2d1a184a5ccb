import Testing

@testable import CsoundEngine

/// If one of these fails, orchestra text ends the program, or code that is right is refused.
@Suite struct OrchestraTextTests {
  @Test(arguments: [
    "instr 1\nout 0\nendin",
    "; a comment \"\ninstr 1\nSx = \"semi;colon /* \\\" \"\nendin",
    "Sx = {{ many\n \" lines /* }}",
    "#define PI #3.14#\ngi = $PI",
    "#define ADD(A'B) #\n($A+$B) \\# #",
    "#define A /* between */ #1#",
    "gi = 1 /* closed */",
    "#include \"x.inc\"",
    "gi = 1 // the end",
  ])
  func codePasses(text: String) throws {
    #expect(try OrchestraText(text).bytes == Array(text.utf8) + [10, 0])
  }

  @Test(arguments: [
    ("/*", "line 1, column 1: a comment /* that is not closed"),
    ("gi = 1\n  /* x * /", "line 2, column 3: a comment"),
    ("gS = \"open\ngi = 1", "line 1, column 6: a quote that is not closed"),
    ("gS = \"open\\", "line 1, column 6: a quote"),
    ("gS = {{ x }", "line 1, column 6: a text {{ that is not closed"),
    ("#define", "line 1, column 1: a #define without a body"),
    ("#define A", "a #define without a body"),
    ("gi = 1\n#define A #1", "line 2, column 1: a #define whose body is not closed"),
    ("#define A(x #1#", "a #define without a body"),
    ("gi = \0", "NUL"),
    ("", "empty"),
    (" \n\t; only a comment", "empty"),
  ])
  func whatCsoundDoesNotSurviveIsRefusedWithItsPlace(text: String, reason: String) {
    let error = #expect(throws: EngineError.self) { try OrchestraText(text) }
    #expect(error?.message.contains(reason) == true, "\(String(describing: error))")
  }
}
