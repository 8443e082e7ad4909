import OfferStore

extension IdempotencyRecord {
    /// Reads caller, key, digest, answer and time of a row.
    init(_ row: Row) {
        self.init(
            caller: row.text(0), key: row.text(1), requestDigest: row.bytes(2), answer: row.bytes(3), createdAt: row.instant(4))
    }
}
