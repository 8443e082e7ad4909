import OfferStore

/// The numbers of chained rows. A number consists of the chain's number and the place in the chain, so it is unique and rises.
///
/// Rows copied from SQLite keep their numbers, which links and seals contain. They form the range of chain 0, which no process
/// opens.
enum ChainedRow {
    /// The number of bits for the place.
    ///
    /// Ten thousand rows a second fill a chain in three years, and no process runs that long.
    static let placeBits: Int64 = 40

    /// The bits of the place.
    static let places: Int64 = 1 << placeBits - 1

    /// - Parameter place: the place in the chain, from 1.
    static func id(chain: Int64, place: Int64) -> Int64 { chain << placeBits + place }

    /// The chain whose range contains a row.
    static func chain(of id: Int64) -> Int64 { id >> placeBits }

    /// Selects the `number` of each chain whose range may contain rows of a table.
    static func ranges(of table: AuditTable) -> String {
        "SELECT number FROM audit_chain WHERE table_name = '\(table.rawValue)' UNION ALL SELECT 0"
    }

    /// Selects the last row of each non-empty range of a table.
    static func lastRows(of table: AuditTable) -> String {
        """
        SELECT number AS chain, last.id AS last_row FROM (\(ranges(of: table))) AS ranges CROSS JOIN LATERAL (
            SELECT max(id) AS id FROM \(table.rawValue) WHERE id >= number << \(placeBits) AND id < (number + 1) << \(placeBits)
        ) AS last
        WHERE last.id IS NOT NULL
        """
    }
}
