import EligibilityRules
import OfferStore

extension LedgerRefusals {
    /// The columns of `refused_request` that `init(_:)` reads.
    static let columns =
        "refused_at, bundle_id, caller, customer_id, application_username, transaction_id, request_id, address, offers"

    /// Reads these columns of a row. Throws `damaged` if they are invalid.
    init(_ row: Row) throws {
        self.init(
            refusedAt: row.instant(0), partition: AppPartition(name: row.text(1)), caller: row.text(2),
            customerID: row.optionalText(3), applicationUsername: row.optionalText(4), transactionID: row.optionalText(5),
            requestID: row.text(6), address: row.optionalText(7), offers: try LedgerRefusals.offers(row.text(8)))
    }
}
