/// The offer that a period was bought with.
public struct RedeemedOffer: Hashable, Comparable, Sendable {
    /// Apple's `offerType`.
    public enum Kind: UInt8, Sendable, CaseIterable {
        case introductory = 1
        case promotional = 2
        case offerCode = 3
        case winBack = 4
        /// Given in App Store Connect to somebody about to cancel; needs no signature.
        case retention = 5
        /// One that nobody knew when this was written.
        case unrecognised = 255
    }

    /// Which kind of offer.
    public let kind: Kind
    /// Offer id, or an offer code's reference name; nil for an introductory offer.
    public let id: String?

    /// Takes the values as they are.
    public init(kind: Kind, id: String? = nil) {
        self.kind = kind
        self.id = id
    }

    /// An order only for merging, in which an introductory offer is the least: a receipt marks any free period as a trial, and what names
    /// an offer knows better.
    public static func < (left: RedeemedOffer, right: RedeemedOffer) -> Bool {
        if (left.kind == .introductory) != (right.kind == .introductory) { return left.kind == .introductory }
        if left.kind != right.kind { return left.kind.rawValue > right.kind.rawValue }
        guard let leftID = left.id, let rightID = right.id else { return left.id == nil && right.id != nil }
        return TextOrder.precedes(leftID, rightID)
    }
}
