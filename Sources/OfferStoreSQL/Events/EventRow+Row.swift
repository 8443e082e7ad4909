import EligibilityRules
package import OfferStore

extension AuditTable {
    /// The columns that `eventRow` reads.
    package var eventSourceColumns: String {
        switch self {
        case .signatures: LedgerEntry.columns
        case .refusals: LedgerRefusals.columns
        case .events: eventColumns
        }
    }

    /// Reads a row that may make events.
    ///
    /// Throws `damaged` if it is invalid.
    ///
    /// - Parameters:
    ///   - first: the first of the columns.
    ///   - transaction: the number of the transaction that has written the row; 0 where the positions alone show the order.
    package func eventRow(
        _ row: some SQLRow,
        from first: Int32,
        position: Int64,
        transaction: Int64 = 0
    ) throws -> EventRow {
        let (at, source): (Instant, EventSource)
        switch self {
        case .signatures:
            let entry = try LedgerEntry(row, from: first)
            (at, source) = (entry.signedAt, .signatures(entry))
        case .refusals:
            let refusals = try LedgerRefusals(row, from: first)
            (at, source) = (refusals.refusedAt, .refusals(refusals))
        case .events:
            let event = AuditEntry(self, row, from: first).event
            (at, source) = (event.at, .change(event))
        }
        return EventRow(position: position, transaction: transaction, at: at, source)
    }
}
