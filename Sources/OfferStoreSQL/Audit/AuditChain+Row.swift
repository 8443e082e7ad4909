import EligibilityRules
package import OfferStore

extension AuditChain {
    /// The columns of `audit_chain` that `init(_:)` reads.
    package static let columns = "number, id, writer, table_name, opened_at, removed_rows, removed_row, removed_link"

    package static func all(_ transaction: some SQLTransaction) throws -> [AuditChain] {
        try transaction.run("SELECT \(columns) FROM audit_chain ORDER BY number").map { try AuditChain($0) }
    }

    /// Reads these columns of a row. Throws `damaged` if they are invalid.
    package init(_ row: some SQLRow) throws {
        guard let table = AuditTable(rawValue: row.text(3)) else { throw StoreError(.damaged, "a chain has no known table") }
        let removed = try row.optionalNumber(6).map { last in
            guard let link = AuditLink(row.bytes(7)) else {
                throw StoreError(.damaged, "a chain does not say where it goes on")
            }
            return AuditPosition(rows: row.number(5), lastRow: last, link: link)
        }
        self.init(
            number: row.number(0), id: row.bytes(1), writer: row.bytes(2), table: table, openedAt: row.instant(4),
            removed: removed)
    }
}
