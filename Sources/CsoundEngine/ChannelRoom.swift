/// Room in Csound's table of channels, made before the first k-cycle.
///
/// The table of 6.18 doubles when three quarters of it are full, and moves everything that is in it then (C:
/// `cs_hash_table_put`): some 100 ns a channel, all in the k-cycle whose new channel was one too many, and 10 ms at
/// 100 000 channels. Nothing makes a table larger but channels, so channels that nobody uses are put into it.
enum ChannelRoom {
  /// How many channels the table takes before it moves for the first time after its start at 8192 places.
  private static let first = 6144

  /// How many channels must be added to `existing` ones so that `spare` more find room without a move.
  static func placeholders(existing: Int, spare: Int) -> Int {
    if existing + spare <= first { return 0 }
    // What is in the table when it moves; afterwards there is room for as many again.
    var moving = first
    while 2 * moving - max(existing, moving + 1) < spare { moving *= 2 }
    return max(0, moving + 1 - existing)
  }

  /// What no orchestra calls its channels.
  static func name(_ number: Int) -> String { "\u{1}spare \(number)" }
}
