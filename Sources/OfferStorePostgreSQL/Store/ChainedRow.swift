import OfferStore

/// How the number of a row is made of the number of its chain and its place in it: no other process makes it, and it grows with the chain.
///
/// Rows that were copied from SQLite keep their numbers, which links and seals have. They are the range of chain 0, which no process opens.
enum ChainedRow {
    /// Ten thousand rows a second fill a chain in three years; a process does not run that long.
    static let placeBits: Int64 = 40

    /// - Parameter place: the first is 1.
    static func id(chain: Int64, place: Int64) -> Int64 { chain << placeBits + place }

    /// The chain in whose range a row is.
    static func chain(of id: Int64) -> Int64 { id >> placeBits }

    /// Selects the `number` of each chain that may have rows of a table in its range.
    static func ranges(of table: AuditTable) -> String {
        "SELECT number FROM audit_chain WHERE table_name = '\(table.rawValue)' UNION ALL SELECT 0"
    }

    /// Selects the last row of each range of a table that has any.
    static func lastRows(of table: AuditTable) -> String {
        """
        SELECT number AS chain, last.id AS last_row FROM (\(ranges(of: table))) AS ranges CROSS JOIN LATERAL (
            SELECT max(id) AS id FROM \(table.rawValue) WHERE id >= number << \(placeBits) AND id < (number + 1) << \(placeBits)
        ) AS last
        WHERE last.id IS NOT NULL
        """
    }
}
