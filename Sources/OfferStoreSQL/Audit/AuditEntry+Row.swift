import EligibilityRules
package import OfferStore

extension AuditTable {
    /// Id, link, time and the fields of an event, in the order of `AuditEvent`.
    package var eventColumns: String {
        let end = "request_id, customer_id, transaction_id, address"
        return switch self {
        case .events: "id, link, at, actor, action, bundle_id, subject, before, after, reason, \(end)"
        case .signatures: "id, link, signed_at, caller, '\(AuditEntry.signed)', bundle_id, key_id, NULL, offers, NULL, \(end)"
        case .refusals: "id, link, refused_at, caller, '\(AuditEntry.refused)', bundle_id, NULL, NULL, offers, NULL, \(end)"
        }
    }
}

extension AuditEntry {
    /// Reads the `eventColumns` of a row, beginning with the column `first`.
    package init(_ table: AuditTable, _ row: some SQLRow, from first: Int32 = 0) {
        func text(_ column: Int32) -> String? { row.optionalText(first + column) }
        let event = AuditEvent(
            at: row.instant(first + 2), actor: row.text(first + 3), action: row.text(first + 4),
            partition: text(5).map(AppPartition.init(name:)), object: AuditObject(text(6), before: text(7), after: text(8)),
            reason: text(9), requestID: text(10),
            personal: AuditPersonalData(customerID: text(11), transactionID: text(12), address: text(13)))
        self.init(table: table, id: row.number(first), event: event, link: AuditLink(row.bytes(first + 1)))
    }
}
