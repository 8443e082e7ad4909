/// Goes through the customers of an app, part by part: slow, and beside everybody who looks one up.
public protocol CustomerScan: Sendable {
    /// How many there are that have a name, aliases not counted.
    func customerCount(partition: AppPartition) async throws(StoreError) -> Int

    /// Some of those between two places, in the order of their places; fewer than `limit` are the last.
    ///
    /// A customer's place is a hash of the name: who comes first is as good as drawn by lot.
    ///
    /// - Parameters:
    ///   - places: where to look; a store puts customers anywhere from `Int64.min` to `Int64.max`.
    ///   - whole: whether all of their purchases are read, or what decides about offers.
    func customers(
        partition: AppPartition,
        in places: ClosedRange<Int64>,
        limit: Int,
        whole: Bool
    ) async throws(StoreError) -> [PlacedCustomer]
}
