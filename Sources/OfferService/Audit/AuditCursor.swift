import OfferStore

/// How far somebody has read back in the audit log: as text, three numbers.
package struct AuditCursor: Equatable, Sendable {
    /// Stands for a table of which no row was given yet.
    static let none = Int64.max

    /// By table: the row that was given last.
    let rows: [Int64]

    init(_ rows: [Int64]) { self.rows = rows }

    /// Nil for anything that is none.
    package init?(_ text: String) {
        let rows = text.split(separator: "-").map { Int64($0) }
        guard rows.count == AuditTable.allCases.count, !rows.contains(nil) else { return nil }
        self.init(rows.compactMap(\.self))
    }

    /// For a link to the next page.
    package var text: String { rows.map { String($0) }.joined(separator: "-") }
}
