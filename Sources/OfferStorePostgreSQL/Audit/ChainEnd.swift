import OfferStore
import OfferStoreSQL

/// The last row of a chain that is dropped as a whole.
struct ChainEnd {
    let row: Int64
    let link: [UInt8]
    /// The number of rows that retention has removed before.
    let removed: Int64
    /// Whether the chain was that long when a mark of served time was made.
    let isBehindMark: Bool

    /// The number of rows that are left.
    var rows: Int { Int((row & ChainedRow.places) - removed) }

    /// The ends of the chains in a partition.
    ///
    /// - Parameter mark: the mark of served time.
    static func all(in range: ChainRange, of table: AuditTable, mark: Int64, _ transaction: Transaction) throws -> [ChainEnd] {
        try transaction.run(
            """
            SELECT last.id, last.link, removed_rows, EXISTS (
                SELECT 1 FROM serving_mark_chain AS mark
                WHERE mark.chain = number AND mark.last_row >= last.id AND mark.served <= $1)
            FROM audit_chain
            CROSS JOIN LATERAL (
                SELECT id, link FROM \(range.partition(of: table))
                WHERE id >= number << \(ChainedRow.placeBits) AND id < (number + 1) << \(ChainedRow.placeBits)
                ORDER BY id DESC LIMIT 1
            ) AS last
            WHERE number >= $2 AND number < $3 ORDER BY number
            """, .number(mark), .number(range.first), .number(range.end)
        ).map { ChainEnd(row: $0.number(0), link: $0.bytes(1), removed: $0.number(2), isBehindMark: $0.flag(3)) }
    }
}
