/// What one request leaves in the ledger: all of it is recorded, or nothing.
public struct LedgerSubmission: Sendable {
    /// Nil where nothing was signed.
    public let entry: LedgerEntry?
    /// Written together with the entry; nil without an `Idempotency-Key`.
    public let idempotency: IdempotencyRecord?

    /// Whether there is nothing to record: such a submission only shows that a transaction can be made durable.
    package var isEmpty: Bool { entry == nil && idempotency == nil }

    /// Takes the values as they are.
    public init(_ entry: LedgerEntry?, idempotency: IdempotencyRecord? = nil) {
        self.entry = entry
        self.idempotency = idempotency
    }
}
