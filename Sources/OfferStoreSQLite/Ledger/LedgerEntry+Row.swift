import EligibilityRules
import FoundationEssentials
import GRDB
import OfferStore

extension LedgerEntry {
    /// Reads a row of `signed_request`. Throws `damaged` if it is invalid.
    init(row: Row) throws {
        let (nonces, digests) = (row["nonces"] as Data, row["digests"] as Data)
        self = try nonces.withUnsafeBytes { nonces in
            try digests.withUnsafeBytes { digests in
                try LedgerEntry(
                    signedAt: Instant(milliseconds: row["signed_at"]), partition: AppPartition(name: row["bundle_id"]),
                    keyID: row["key_id"], form: row["form"],
                    request: LedgerRequest(
                        id: row["request_id"], caller: row["caller"], address: row["address"], customerID: row["customer_id"],
                        applicationUsername: row["application_username"], transactionID: row["transaction_id"]), nonces: nonces,
                    digests: digests, offers: row["offers"]
                )
            }
        }
    }
}

extension Data {
    /// One of the parts of equal length in these bytes.
    func part(_ index: Int, of length: Int) -> Data { dropFirst(index * length).prefix(length) }
}
