import EligibilityRules
import OfferStore

extension LedgerEntry {
    /// The columns of `signed_request` that `init(_:from:)` reads.
    static let columns = """
        signed_at, bundle_id, key_id, form, caller, customer_id, application_username, transaction_id, request_id, address, nonces,
        digests, offers
        """

    /// Reads these columns of a row, beginning with the column `first`. Throws `damaged` if they are invalid.
    init(_ row: Row, from first: Int32 = 0) throws {
        self = try row.withBytes(first + 10) { nonces in
            try row.withBytes(first + 11) { digests in
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
