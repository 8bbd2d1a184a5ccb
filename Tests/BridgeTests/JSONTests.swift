import Testing

@testable import Bridge

/// If these fail, programs cannot read what Sonde prints for them.
@Suite struct JSONTests {
  /// RFC 8259, section 7: quotation mark, reverse solidus and U+0000…U+001F are escaped, nothing else must be.
  @Test func stringsAreEscaped() {
    #expect(JSON.string("a\"b\\c/d").text == #""a\"b\\c/d""#)
    #expect(JSON.string("\n\r\t\u{0}\u{1B}\u{1F}").text == #""\n\r\t\u0000\u001b\u001f""#)
    #expect(JSON.string("\r\n").text == #""\r\n""#)
    #expect(JSON.string("é🎹\u{7F}").text == "\"é🎹\u{7F}\"")
    #expect(JSON.object([("a\"", .null)]).text == #"{"a\"":null}"#)
  }

  @Test func numbersAreJSONs() {
    #expect(JSON.number(0.1).text == "0.1" && JSON.number(3).text == "3")
    #expect(JSON.number(1e-7).text == "1e-07" && JSON.integer(-5).text == "-5")
    #expect(JSON.number(.nan).text == "null" && JSON.number(-.infinity).text == "null")
  }

  @Test func valuesNest() {
    let value = JSON.object([
      ("a", .array([.boolean(true), .boolean(false), .null])), ("b", .object([])),
      ("c", .array([])),
    ])
    #expect(value.text == #"{"a":[true,false,null],"b":{},"c":[]}"#)
  }
}
