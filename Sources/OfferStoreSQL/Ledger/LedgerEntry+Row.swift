import EligibilityRules
package import OfferStore

extension LedgerEntry {
    /// The columns of `signed_request` that `init(_:from:)` reads.
    package static let columns = """
        signed_at, bundle_id, key_id, form, caller, customer_id, application_username, transaction_id, request_id, address, nonces,
        digests, offers
        """

    /// Reads these columns of a row, beginning with the column `first`. Throws `damaged` if they are invalid.
    package init(_ row: some SQLRow, from first: Int32 = 0) throws {
        self = try row.bytes(first + 10).withUnsafeBytes { nonces in
            try row.bytes(first + 11).withUnsafeBytes { digests in
                try LedgerEntry(
                    signedAt: row.instant(first), partition: AppPartition(name: row.text(first + 1)), keyID: row.text(first + 2),
                    form: row.text(first + 3),
                    request: LedgerRequest(
                        id: row.text(first + 8), caller: row.text(first + 4), address: row.optionalText(first + 9),
                        customerID: row.optionalText(first + 5), applicationUsername: row.optionalText(first + 6),
                        transactionID: row.optionalText(first + 7)), nonces: nonces, digests: digests,
                    offers: row.text(first + 12))
            }
        }
    }
}

extension LedgerRefusals {
    /// The columns of `refused_request` that `init(_:from:)` reads.
    package static let columns =
        "refused_at, bundle_id, caller, customer_id, application_username, transaction_id, request_id, address, offers"

    /// Reads these columns of a row, beginning with the column `first`. Throws `damaged` if they are invalid.
    package init(_ row: some SQLRow, from first: Int32 = 0) throws {
        self.init(
            refusedAt: row.instant(first), partition: AppPartition(name: row.text(first + 1)),
            request: LedgerRequest(
                id: row.text(first + 6), caller: row.text(first + 2), address: row.optionalText(first + 7),
                customerID: row.optionalText(first + 3), applicationUsername: row.optionalText(first + 4),
                transactionID: row.optionalText(first + 5)), offers: try LedgerRefusals.offers(row.text(first + 8)))
    }
}

extension IdempotencyRecord {
    /// Reads caller, key, digest, answer and time of a row.
    package init(_ row: some SQLRow) {
        self.init(
            caller: row.text(0), key: row.text(1), requestDigest: row.bytes(2), answer: row.bytes(3), createdAt: row.instant(4))
    }
}
