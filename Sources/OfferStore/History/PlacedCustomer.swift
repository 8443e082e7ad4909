/// A customer that a scan has found.
public struct PlacedCustomer: Sendable {
    /// Where the scan goes on behind.
    public let place: Int64
    /// The app's own id.
    public let customerID: String
    /// What is known of them.
    public let record: HistoryRecord

    /// Takes the values as they are.
    public init(place: Int64, customerID: String, record: HistoryRecord) {
        self.place = place
        self.customerID = customerID
        self.record = record
    }
}
