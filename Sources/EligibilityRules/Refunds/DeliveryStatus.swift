/// Whether a purchase was delivered and works: Apple's `deliveryStatus`.
public enum DeliveryStatus: String, Sendable, CaseIterable {
    case delivered = "DELIVERED"
    case qualityIssue = "UNDELIVERED_QUALITY_ISSUE"
    case wrongItem = "UNDELIVERED_WRONG_ITEM"
    case serverOutage = "UNDELIVERED_SERVER_OUTAGE"
    case other = "UNDELIVERED_OTHER"
}
