/// The rows of one request: all of them are recorded, or none.
public struct LedgerSubmission: Sendable {
    /// One row a signature.
    public let entries: [LedgerEntry]
    /// Written together with the rows; nil without an `Idempotency-Key`.
    public let idempotency: IdempotencyRecord?

    /// Takes the values as they are.
    public init(entries: [LedgerEntry], idempotency: IdempotencyRecord? = nil) {
        self.entries = entries
        self.idempotency = idempotency
    }
}
