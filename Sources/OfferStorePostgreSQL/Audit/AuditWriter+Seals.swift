import EligibilityRules
import OfferStore
import OfferStoreSQL

extension AuditWriter {
    /// Seals what is new, in the current transaction. Returns nil if nothing is new or there is no key.
    func seal(at now: Instant, _ transaction: Transaction) throws -> String? {
        guard let signer = currentSigner else { return nil }
        let note = try state.sealing.seal(state.chains, in: SealRows(transaction: transaction), with: signer, at: now)
        state.chains.forgetLeft()
        return note
    }

    /// Whether rows may be removed now. Once seals exist, a removal needs a seal, and thus a key.
    func mayRemove(_ transaction: Transaction) throws -> Bool {
        if currentSigner != nil { return true }
        return try transaction.run("SELECT 1 FROM audit_head LIMIT 1").count == 0
    }

    /// Deletes rows from the front of their chains, and seals the removal.
    func remove(_ table: AuditTable, _ ids: [Int64], _ transaction: Transaction) throws {
        let parts = try transaction.run(
            "SELECT chain, max(id), count(*) FROM \(table.rawValue) WHERE id = ANY($1) GROUP BY chain ORDER BY chain",
            .numbers(ids)
        ).map { (chain: $0.number(0), last: $0.number(1), count: $0.number(2)) }
        for part in parts {
            let chain = try transaction.run(
                """
                UPDATE audit_chain SET removed_rows = removed_rows + $2, removed_row = $3,
                    removed_link = (SELECT link FROM \(table.rawValue) WHERE id = $3)
                WHERE number = $1 RETURNING \(AuditChain.columns)
                """, .number(part.chain), .number(part.count), .number(part.last)
            ).first { try AuditChain($0) }
            guard let chain, let removed = chain.removed else {
                throw StoreError(.damaged, "a row belongs to a chain that does not exist")
            }
            state.sealing.didRemove(removed, of: chain)
        }
        try transaction.enqueue("DELETE FROM \(table.rawValue) WHERE id = ANY($1)", .numbers(ids))
        try sealRemoval(transaction)
    }

    /// Seals the removal of whole chains, whose rows the caller drops.
    func remove(_ ends: [ChainEnd], _ transaction: Transaction) throws {
        guard !ends.isEmpty else { return }
        let chains = try transaction.run(
            """
            UPDATE audit_chain SET removed_rows = last_row & \(ChainedRow.places), removed_row = last_row, removed_link = last_link
            FROM unnest($1, $2) AS dropped (last_row, last_link) WHERE number = last_row >> \(ChainedRow.placeBits)
            RETURNING \(AuditChain.columns)
            """, .numbers(ends.map(\.row)), .blobs(ends.map(\.link))
        ).map { try AuditChain($0) }
        for chain in chains { state.sealing.didRemove(chain.removed!, of: chain) }
        try sealRemoval(transaction)
    }

    private func sealRemoval(_ transaction: Transaction) throws {
        let now = try transaction.run("SELECT seen_at FROM clock").first { $0.optionalNumber(0) } ?? nil
        _ = try seal(at: Instant(milliseconds: now ?? 0), transaction)
    }
}

/// The last row of a chain that is dropped as a whole.
struct ChainEnd {
    let row: Int64
    let link: [UInt8]
    /// The number of rows that retention has removed before.
    let removed: Int64
    /// Whether this row was in the chain already when a mark of served time was made.
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
