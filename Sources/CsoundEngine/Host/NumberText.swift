/// A number with so many decimals, as C's `%.*f` writes it, whatever the language of the system.
func formatted(_ value: Double, decimals: Int) -> String {
  if !value.isFinite { return value.isNaN ? "nan" : value < 0 ? "-inf" : "inf" }
  var scale = 1.0
  for _ in 0..<decimals { scale *= 10 }
  // Beyond that a Double has no decimals.
  if abs(value) * scale >= 9e15 { return "\(value)" }
  let whole = (abs(value) * scale).rounded(.toNearestOrEven)
  let digits = String(Int(whole))
  let sign = value < 0 && whole > 0 ? "-" : ""
  if decimals == 0 { return sign + digits }
  let padded = String(repeating: "0", count: max(decimals + 1 - digits.count, 0)) + digits
  return "\(sign)\(padded.dropLast(decimals)).\(padded.suffix(decimals))"
}
