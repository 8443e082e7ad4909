public import EligibilityRules
public import FoundationEssentials

/// An event for the company's own systems, as a webhook delivers it.
public struct ServiceEvent: Equatable, Sendable {
    /// Identifies the event in every delivery: the random part of `webhook-id`.
    public let id: UUID
    /// The type, such as `offer.signed`.
    public let type: String
    /// When the event took place.
    public let at: Instant
    /// The app in an environment; nil for an event of the whole service.
    public let partition: AppPartition?
    /// Events with the same key are delivered in order, such as those of one customer, one campaign or one signing key.
    public let orderingKey: String
    /// The app's own id of the customer; nil for none. Erasing the customer blanks the event.
    public let customerID: String?
    /// The customer that a subscription has moved from; nil otherwise. Erasing them blanks the event, too.
    public let previousCustomerID: String?
    /// The event's `data`: a JSON object, which the store does not parse.
    public let data: [UInt8]

    /// Stores the given values without checking them.
    public init(
        id: UUID,
        type: String,
        at: Instant,
        partition: AppPartition?,
        orderingKey: String,
        customerID: String?,
        previousCustomerID: String? = nil,
        data: [UInt8]
    ) {
        self.id = id
        self.type = type
        self.at = at
        self.partition = partition
        self.orderingKey = orderingKey
        self.customerID = customerID
        self.previousCustomerID = previousCustomerID
        self.data = data
    }
}

extension ServiceEvent {
    /// The data of an event whose customer was erased.
    package static let blank = Array("{}".utf8)
}

extension AppPartition {
    /// The ordering key of events about a customer, or about a transaction whose customer is unknown.
    package func orderingKey(_ id: String) -> String { "\(name)/\(id)" }
}
