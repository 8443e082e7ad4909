import OfferStore
import OfferStoreSQL

/// The last row of each chain.
struct ChainEnds: Sendable {
    /// The numbers of chains.
    let chains: [Int64]
    /// The last rows of the chains, in the same order.
    let rows: [Int64]

    /// Reads the present ends.
    static func read(_ transaction: Transaction) throws -> ChainEnds {
        let statements = AuditTable.allCases.map { SQLStatement(ChainedRow.lastRows(of: $0)) }
        let ends = try transaction.run(statements).flatMap { $0.map { ($0.number(0), $0.number(1)) } }
        return ChainEnds(chains: ends.map(\.0), rows: ends.map(\.1))
    }
}
