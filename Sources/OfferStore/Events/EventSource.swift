/// A durable row that events are made of.
public enum EventSource: Sendable {
    /// The signatures of a request.
    case signatures(LedgerEntry)
    /// The refusals of a request.
    case refusals(LedgerRefusals)
    /// A change in the audit log.
    case change(AuditEvent)
    /// A change of a customer's purchases.
    case purchase(PurchaseEvent)
}
