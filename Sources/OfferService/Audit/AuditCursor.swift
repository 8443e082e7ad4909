import OfferStore

/// A position in the audit log, which is read backwards; as text, three numbers.
package struct AuditCursor: Equatable, Sendable {
    /// Stands for a table from which no row was returned yet.
    static let none = Int64.max

    /// The last row returned of each table.
    let rows: [Int64]

    init(_ rows: [Int64]) { self.rows = rows }

    /// Nil for a text that is not a cursor.
    package init?(_ text: String) {
        let rows = text.split(separator: "-").map { Int64($0) }
        guard rows.count == AuditTable.allCases.count, !rows.contains(nil) else { return nil }
        self.init(rows.compactMap(\.self))
    }

    /// The text for a link to the next page.
    package var text: String { rows.map { String($0) }.joined(separator: "-") }
}
