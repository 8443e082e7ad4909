/// What the App Store has said of a refund that gives back a part of a price.
public enum Refund: Hashable, Comparable, Sendable {
    /// It speaks of no part. A revoked purchase was then refunded as a whole, any other not at all.
    case none
    /// It gave back so many parts of the whole: seats of all seats, or thousandths of a percent.
    case part(Int64, of: Int64)
    /// It gave back a part, but has not said how much.
    case unknown

    /// The order serves only for merging two statements of the same instant.
    public static func < (left: Refund, right: Refund) -> Bool { left.rank < right.rank }

    private var rank: (Int, Int64, Int64) {
        switch self {
        case .none: (0, 0, 0)
        case .part(let part, let whole): (1, part, whole)
        case .unknown: (2, 0, 0)
        }
    }

    /// Returns what is left of an amount, rounded to the nearest thousandth; nil if it is not known.
    func rest(of amount: Int64) -> Int64? {
        switch self {
        case .none: return amount
        case .unknown: return nil
        case .part(let part, let whole):
            guard whole > 0, (0...whole).contains(part) else { return nil }
            return Int64((Int128(amount) * Int128(whole - part) * 2 + Int128(whole)) / (Int128(whole) * 2))
        }
    }
}
