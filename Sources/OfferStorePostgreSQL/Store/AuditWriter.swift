import EligibilityRules
import OfferStore
import OfferStoreSQL
import Synchronization

/// The audit chains of this process, written on one session.
///
/// Unchecked: confined to that session's thread, except for the signer, which a lock guards.
package final class AuditWriter: @unchecked Sendable {
    let identity: AuditIdentity
    /// Encodes the current row.
    let row = AuditRowEncoder()
    /// The log's state in the current transaction.
    var state: AuditState
    private var durable: AuditState
    private let signer = Mutex<AuditSigner?>(nil)

    /// Reads the store's secret. Creates it in a new store.
    init(_ functions: AuditFunctions, _ transaction: Transaction) throws {
        identity = try AuditIdentity(functions) { try transaction.secret(named: "audit", make: $0) }
        durable = AuditState(identity)
        state = durable
    }

    /// Begins a transaction, and discards the state of a failed one.
    func begin() { state = durable }

    /// Notes that the transaction is durable.
    func commit() { durable = state }

    /// Abandons the present chains, as it is unknown whether the transaction is durable. New chains begin.
    func abandonChains() {
        durable.chains = AuditChains()
        state = durable
    }

    /// Sets the key to seal with; nil for none.
    func use(_ signer: AuditSigner?) { self.signer.withLock { $0 = signer } }

    /// The key to seal with; nil for none.
    var currentSigner: AuditSigner? { signer.withLock { $0 } }

    /// The number of the next row of a table. Opens a chain if there is none for its day.
    func nextID(_ table: AuditTable, at time: Instant, _ transaction: Transaction) throws -> Int64 {
        if !isOpen(table, at: time) { try open(table, at: time, transaction) }
        let head = state.chains[table]!
        return ChainedRow.id(chain: head.chain.number, place: head.position.rows + 1)
    }

    /// Links the encoded row, which has this id, to its chain.
    func link(_ table: AuditTable, id: Int64) -> (chain: Int64, link: AuditLink) {
        state.chains.extend(table, id: id, row, identity.functions)
    }

    /// Whether a table has an open chain for rows of this time.
    ///
    /// A chain of signatures or refusals gets the rows of one day. A chain of events is not limited to a day.
    private func isOpen(_ table: AuditTable, at time: Instant) -> Bool {
        guard let opened = state.chains[table]?.chain.openedAt.day else { return false }
        // At midnight rows come in any order. A clock that was set back by days must not keep a chain open for days.
        return table == .events || (opened - 1...opened).contains(time.day)
    }

    private func open(_ table: AuditTable, at time: Instant, _ transaction: Transaction) throws {
        let id = try identity.functions.randomBytes(AuditChain.idLength)
        let number = try ChainRange.takeNumber(on: time.day, transaction)
        try transaction.enqueue(
            """
            INSERT INTO audit_chain (number, id, writer, table_name, opened_at) OVERRIDING SYSTEM VALUE
            VALUES ($1, $2, $3, $4, $5)
            """, .number(number), .bytes(id), .bytes(identity.writer), .text(table.rawValue), .instant(time))
        let chain = AuditChain(number: number, id: id, writer: identity.writer, table: table, openedAt: time)
        state.chains.open(chain, identity.functions)
    }
}
