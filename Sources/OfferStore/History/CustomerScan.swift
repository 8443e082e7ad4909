/// Scans the customers of an app, part by part. A scan is slow and does not block look-ups.
public protocol CustomerScan: Sendable {
    /// The number of customers that have a name. Aliases do not count.
    func customerCount(partition: AppPartition) async throws(StoreError) -> Int

    /// Customers between two places, in the order of places. Fewer than `limit` mean that no more follow.
    ///
    /// A customer's place is a hash of the name, so the order is practically random.
    ///
    /// - Parameters:
    ///   - places: the range to scan. Places range from `Int64.min` to `Int64.max`.
    ///   - whole: whether to read all purchases. Otherwise only what decides about offers is read.
    func customers(
        partition: AppPartition,
        in places: ClosedRange<Int64>,
        limit: Int,
        whole: Bool
    ) async throws(StoreError) -> [PlacedCustomer]
}

/// A customer found by a scan.
public struct PlacedCustomer: Sendable {
    /// The customer's place; the scan continues after it.
    public let place: Int64
    /// The app's own id.
    public let customerID: String
    /// The customer's history.
    public let record: HistoryRecord

    /// Stores the given values without checking them.
    public init(place: Int64, customerID: String, record: HistoryRecord) {
        self.place = place
        self.customerID = customerID
        self.record = record
    }
}
