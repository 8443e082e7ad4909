/// What can be erased of an audit event.
public struct AuditPersonalData: Equatable, Sendable {
    /// The customer concerned.
    public let customerID: String?
    /// The App Store transaction concerned.
    public let transactionID: String?
    /// The address that sent the request.
    public let address: String?

    /// Takes the values as they are.
    public init(customerID: String? = nil, transactionID: String? = nil, address: String? = nil) {
        self.customerID = customerID
        self.transactionID = transactionID
        self.address = address
    }

    /// Nothing, as after the erasure.
    public static let none = AuditPersonalData()
}
