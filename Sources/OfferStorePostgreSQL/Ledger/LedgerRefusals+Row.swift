import EligibilityRules
import OfferStore

extension LedgerRefusals {
    /// The columns of `refused_request` that `init(_:)` reads.
    static let columns =
        "refused_at, bundle_id, caller, customer_id, application_username, transaction_id, request_id, address, offers"

    /// Reads these columns of a row, beginning with the column `first`. Throws `damaged` if they are invalid.
    init(_ row: Row, from first: Int32 = 0) throws {
        self.init(
            refusedAt: row.instant(first), partition: AppPartition(name: row.text(first + 1)),
            request: LedgerRequest(
                id: row.text(first + 6), caller: row.text(first + 2), address: row.optionalText(first + 7),
                customerID: row.optionalText(first + 3), applicationUsername: row.optionalText(first + 4),
                transactionID: row.optionalText(first + 5)), offers: try LedgerRefusals.offers(row.text(first + 8)))
    }
}
