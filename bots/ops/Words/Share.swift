/// A part of a whole, in percent.
struct Share: Equatable, CustomStringConvertible {
    /// Rounded up, so that 100 says "nothing left" or nearly so, and 0 "nothing at all".
    let percent: Int

    /// How much of the whole is used; 0 where there is no whole.
    init(_ part: UInt64, of whole: UInt64) {
        percent = whole == 0 ? 0 : Int((Double(min(part, whole)) / Double(whole) * 100).rounded(.up))
    }

    var description: String { "\(percent) %" }
}
