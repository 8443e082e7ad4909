/// The offer with which a purchase was made.
public struct RedeemedOffer: Hashable, Comparable, Sendable {
    /// Apple's `offerType`.
    public enum Kind: UInt8, Sendable, CaseIterable {
        case introductory = 1
        case promotional = 2
        case offerCode = 3
        case winBack = 4
        /// An offer set up in App Store Connect for customers about to cancel. It needs no signature.
        case retention = 5
        /// A value that is not recognised.
        case unrecognised = 255
    }

    /// The kind of the offer.
    public let kind: Kind
    /// The offer's id or, for an offer code, its reference name; nil for an introductory offer.
    public let id: String?

    /// Stores the given values without checking them.
    public init(kind: Kind, id: String? = nil) {
        self.kind = kind
        self.id = id
    }

    /// The order serves only for merging, which keeps the greater value.
    ///
    /// An introductory offer is less than any other, because a receipt calls every free period a trial, and a source that names
    /// an offer knows more.
    public static func < (left: RedeemedOffer, right: RedeemedOffer) -> Bool {
        if (left.kind == .introductory) != (right.kind == .introductory) { return left.kind == .introductory }
        if left.kind != right.kind { return left.kind.rawValue > right.kind.rawValue }
        guard let leftID = left.id, let rightID = right.id else { return left.id == nil && right.id != nil }
        return TextOrder.precedes(leftID, rightID)
    }
}
