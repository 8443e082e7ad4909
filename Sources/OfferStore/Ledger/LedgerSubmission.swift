/// What one request leaves in the ledger: all of it is recorded, or nothing.
public struct LedgerSubmission: Sendable {
    /// Empty where nothing was signed.
    public let entries: [LedgerEntry]
    /// Written together with the entries; nil without an `Idempotency-Key`.
    public let idempotency: IdempotencyRecord?

    /// Takes the values as they are.
    public init(entries: [LedgerEntry], idempotency: IdempotencyRecord? = nil) {
        self.entries = entries
        self.idempotency = idempotency
    }
}
