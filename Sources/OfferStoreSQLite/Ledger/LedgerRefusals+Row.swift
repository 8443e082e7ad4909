import EligibilityRules
import FoundationEssentials
import GRDB
import OfferStore

extension LedgerRefusals {
    /// Inserts a row into `refused_request`.
    func insert(_ database: Database, _ audit: AuditWriter) throws {
        let (id, offers) = (try audit.nextID(.refusals, database), list)
        offers.withUnsafeBytes { audit.row.encode(self, id: id, offers: $0, audit.identity.keyed) }
        let (chain, link) = try audit.link(.refusals, id: id, at: refusedAt, database)
        try database.cachedStatement(
            sql: """
                INSERT INTO refused_request (id, refused_at, bundle_id, caller, customer_id, application_username, transaction_id,
                request_id, address, offers, chain, link) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            id, refusedAt.milliseconds, partition.name, request.caller, request.customerID, request.applicationUsername,
            request.transactionID, request.id,
            request.address,
            String(decoding: offers, as: UTF8.self), chain, link.bytes.data,
        ])
    }
}
