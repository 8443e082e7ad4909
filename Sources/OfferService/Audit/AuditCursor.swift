import OfferStore

/// A position in the audit log, which is read from the latest row backwards.
///
/// As text it is one number for each of the three tables.
package struct AuditCursor: Equatable, Sendable {
    /// The position in a table of which no row was returned yet.
    static let none = Int64.max

    /// For each table, the id of the row that was returned last.
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

/// Some rows of the audit log, the latest first.
package struct AuditPage: Equatable, Sendable {
    package let lines: [AuditLine]
    /// Where the next page begins; nil if this is the last.
    package let next: AuditCursor?
    /// The number of signatures and refusals in the same period that the query does not ask for; 0 if it asks for them.
    ///
    /// Nil if the query is about one app, because signatures and refusals can only be counted for all apps together.
    package let leftOut: Int64?
}
