import EligibilityRules
import OfferStore
import Synchronization

/// The chains of this process, on the session that writes them.
///
/// Unchecked: all but the signer is reached on that session's thread only.
final class AuditWriter: @unchecked Sendable {
    let identity: AuditIdentity
    /// For the row that is written now.
    let row = AuditRowEncoder()
    /// What the transaction that runs makes of the log.
    var state: AuditState
    private var durable: AuditState
    private let signer = Mutex<AuditSigner?>(nil)

    /// Reads the store's secret, which it makes the first time.
    init(_ functions: AuditFunctions, _ transaction: Transaction) throws {
        identity = try AuditIdentity(functions) { make in
            try SecretRows.secret(named: "audit", make: make, transaction)
        }
        durable = AuditState(identity)
        state = durable
    }

    /// Begins a transaction: nothing of one that failed is left.
    func begin() { state = durable }

    /// Takes note that the transaction is durable.
    func commit() { durable = state }

    /// Takes note that nothing says whether the transaction is durable: its chains go no further, and new ones begin.
    func abandonChains() {
        durable.chains = AuditChains()
        state = durable
    }

    /// With which key to seal; nil with none.
    func use(_ signer: AuditSigner?) { self.signer.withLock { $0 = signer } }

    /// With which key to seal; nil with none.
    var currentSigner: AuditSigner? { signer.withLock { $0 } }

    /// The number of the next row of a table, whose chain begins with it if it has none.
    func nextID(_ table: AuditTable, at time: Instant, _ transaction: Transaction) throws -> Int64 {
        if !state.chains.isOpen(table) { try open(table, at: time, transaction) }
        let head = state.chains[table]!
        return ChainedRow.id(chain: head.chain.number, place: head.position.rows + 1)
    }

    /// Links the row in the encoder, which has this id, to its chain.
    func link(_ table: AuditTable, id: Int64) -> (chain: Int64, link: AuditLink) {
        state.chains.extend(table, id: id, row, identity.functions)
    }

    private func open(_ table: AuditTable, at time: Instant, _ transaction: Transaction) throws {
        let id = try identity.functions.randomBytes(AuditChain.idLength)
        let number = try transaction.run(
            "INSERT INTO audit_chain (id, writer, table_name, opened_at) VALUES ($1, $2, $3, $4) RETURNING number",
            .bytes(id), .bytes(identity.writer), .text(table.rawValue), .instant(time)
        ).first { $0.number(0) }!
        let chain = AuditChain(number: number, id: id, writer: identity.writer, table: table, openedAt: time)
        state.chains.open(chain, identity.functions)
    }
}
