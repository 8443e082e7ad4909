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
    /// Reads the `eventColumns` of a row, beginning with the column `first`.
    init(_ table: AuditTable, _ row: Row, from first: Int32 = 0) {
        func text(_ column: Int32) -> String? { row.optionalText(first + column) }
        let event = AuditEvent(
            at: row.instant(first + 2), actor: row.text(first + 3), action: row.text(first + 4),
            partition: text(5).map(AppPartition.init(name:)), object: AuditObject(text(6), before: text(7), after: text(8)),
            reason: text(9), requestID: text(10),
            personal: AuditPersonalData(customerID: text(11), transactionID: text(12), address: text(13)))
        self.init(table: table, id: row.number(first), event: event, link: AuditLink(row.bytes(first + 1)))
    }
}
