/// A customer found by a scan.
public struct PlacedCustomer: Sendable {
    /// The customer's place; the scan continues after it.
    public let place: Int64
    /// The app's own id.
    public let customerID: String
    /// The customer's history.
    public let record: HistoryRecord

    /// Takes the values as they are.
    public init(place: Int64, customerID: String, record: HistoryRecord) {
        self.place = place
        self.customerID = customerID
        self.record = record
    }
}
