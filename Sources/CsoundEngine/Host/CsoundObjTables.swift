import Glibc

extension CsoundObj {
  /// The number of points of function table `number`, or nil where there is none.
  ///
  /// - Throws: `EngineError` when nothing plays.
  public func tableLength(_ number: Int) throws(EngineError) -> Int? {
    try playing("there are no tables").ask("there are no tables") { instance in
      instance.calls.tableLength(number)
    }
  }

  /// The points of function table `number`, all from the same moment between two k-cycles.
  ///
  /// - Throws: `EngineError` when nothing plays or there is no such table.
  public func readTable(_ number: Int) throws(EngineError) -> [Double] {
    let points = try playing("there are no tables").ask("there are no tables") { instance in
      instance.calls.readTable(number)
    }
    guard let points else { throw missingTable(number) }
    return points
  }

  /// Overwrites points of function table `number`, from `first` on, between two k-cycles.
  ///
  /// - Throws: `EngineError` when nothing plays, there is no such table, or it has fewer points; nothing is
  ///   written then.
  public func writeTable(_ number: Int, _ points: [Double], at first: Int = 0)
    throws(EngineError)
  {
    let length = try playing("there are no tables").ask("there are no tables") { instance in
      let length = instance.calls.tableLength(number)
      if let length, first >= 0, first <= length, points.count <= length - first {
        instance.calls.writeTable(number, points, at: first)
      }
      return length
    }
    guard let length else { throw missingTable(number) }
    if first < 0 || first > length || points.count > length - first {
      throw EngineError(
        .state,
        "Table \(number) has \(length) points: \(points.count) do not fit from point \(first) on; write fewer."
      )
    }
  }

  private func missingTable(_ number: Int) -> EngineError {
    EngineError(
      .state, "There is no function table \(number); make it in the CSD, or with an f event, first."
    )
  }
}
