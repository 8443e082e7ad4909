/// Offer ids, best first. Their order serves only for merging.
public struct OfferIDs: Hashable, Comparable, Sendable {
    /// In the App Store's order.
    public let ids: [String]

    /// Takes them as they are.
    public init(_ ids: [String]) { self.ids = ids }

    /// Orders by the bytes of the first id that differs.
    public static func < (left: OfferIDs, right: OfferIDs) -> Bool {
        left.ids.lexicographicallyPrecedes(right.ids, by: TextOrder.precedes)
    }
}
