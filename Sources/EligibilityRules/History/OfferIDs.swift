/// Offer ids, best first; an order exists only for merging.
public struct OfferIDs: Hashable, Comparable, Sendable {
    /// As the App Store gave them.
    public let ids: [String]

    /// Takes them as they are.
    public init(_ ids: [String]) { self.ids = ids }

    /// By the bytes of the first id that differs.
    public static func < (left: OfferIDs, right: OfferIDs) -> Bool {
        left.ids.lexicographicallyPrecedes(right.ids, by: TextOrder.precedes)
    }
}
