import EligibilityRules
import OfferStore

extension AuditTable {
    /// Id, link, time and the fields of an event, in the order of `AuditEvent`.
    var eventColumns: String {
        switch self {
        case .events:
            """
            id, link, at, actor, action, bundle_id, subject, before, after, reason, request_id, customer_id, transaction_id, address
            """
        case .signatures:
            """
            id, link, signed_at, caller, '\(AuditEntry.signed)', bundle_id, key_id, NULL::text, offers, NULL::text, request_id,
            customer_id, transaction_id, address
            """
        case .refusals:
            """
            id, link, refused_at, caller, '\(AuditEntry.refused)', bundle_id, NULL::text, NULL::text, offers, NULL::text, request_id,
            customer_id, transaction_id, address
            """
        }
    }
}

extension AuditEntry {
    /// Reads the `eventColumns` of a row.
    init(_ table: AuditTable, _ row: Row) {
        let event = AuditEvent(
            at: row.instant(2), actor: row.text(3), action: row.text(4),
            partition: row.optionalText(5).map(AppPartition.init(name:)),
            subject: row.optionalText(6), before: row.optionalText(7), after: row.optionalText(8), reason: row.optionalText(9),
            requestID: row.optionalText(10), customerID: row.optionalText(11), transactionID: row.optionalText(12),
            address: row.optionalText(13))
        self.init(table: table, id: row.number(0), event: event, link: AuditLink(row.bytes(1)))
    }
}
