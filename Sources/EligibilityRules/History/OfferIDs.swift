/// A list of offer ids, the best one first.
///
/// Two lists are compared only for merging.
public struct OfferIDs: Hashable, Comparable, Sendable {
    /// The offer ids in the App Store's order.
    public let ids: [String]

    /// Creates a list of ids that are already in order.
    public init(_ ids: [String]) { self.ids = ids }

    /// Orders by the bytes of the first id that differs.
    public static func < (left: OfferIDs, right: OfferIDs) -> Bool {
        left.ids.lexicographicallyPrecedes(right.ids, by: TextOrder.precedes)
    }
}
