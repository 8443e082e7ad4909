import EligibilityRules
import FoundationEssentials
import GRDB
import OfferStore
import OfferStoreSQL

// Under the thread sanitizer, a lock of this module is used instead of `Mutex`.
#if !THREAD_SANITIZER
    import Synchronization
#endif

/// The audit chains of this process, written on the writer's connection.
///
/// Unchecked: confined to the writer's queue, except for the signer, which a lock guards.
package final class AuditWriter: @unchecked Sendable {
    let identity: AuditIdentity
    /// Encodes the current row.
    let row = AuditRowEncoder()
    /// The log's state in the current transaction.
    var state: AuditState
    private var durable: AuditState
    /// The next row ids, by the tables' codes, 1 to 3; 0 if unknown.
    private var nextIDs = InlineArray<4, Int64>(repeating: 0)
    private var durableIDs = InlineArray<4, Int64>(repeating: 0)
    private let signer = Mutex<AuditSigner?>(nil)

    /// Reads the store's secret. Creates it in a new store.
    init(_ functions: AuditFunctions, _ database: Database) throws {
        identity = try AuditIdentity(functions) { try database.secret(named: "audit", make: $0) }
        durable = AuditState(identity)
        state = durable
    }

    /// Begins a transaction, and discards the state of a failed one.
    ///
    /// - Parameter isUndisturbed: whether nothing was committed since the previous transaction.
    func begin(isUndisturbed: Bool) {
        state = durable
        nextIDs = isUndisturbed ? durableIDs : InlineArray(repeating: 0)
    }

    /// Notes that the transaction is durable.
    func commit() {
        durable = state
        durableIDs = nextIDs
    }

    /// Sets the key to seal with; nil for none.
    func use(_ signer: AuditSigner?) { self.signer.withLock { $0 = signer } }

    /// The key to seal with; nil for none.
    var currentSigner: AuditSigner? { signer.withLock { $0 } }

    /// The number of the next row of a table. Numbers are never reused.
    func nextID(_ table: AuditTable, _ database: Database) throws -> Int64 {
        let known = nextIDs[Int(table.code)]
        if known > 0 { return known }
        let latest = try PreparedStatement(database, Self.nextIDs[table]!)
        defer { latest.reset() }
        guard try latest.step(), !latest.isNull(0) else {
            throw StoreError(.damaged, "the store does not say where \(table.rawValue) begins")
        }
        nextIDs[Int(table.code)] = latest.number(0)
        return latest.number(0)
    }

    private static let nextIDs = Dictionary(
        uniqueKeysWithValues: AuditTable.allCases.map { table in
            let sql = """
                SELECT max(coalesce((SELECT max(id) FROM \(table.rawValue)), 0),
                    (SELECT removed FROM audit_table WHERE name = '\(table.rawValue)')) + 1
                """
            return (table, sql)
        })

    /// Links the encoded row, which the caller inserts with this id, to its chain.
    func link(_ table: AuditTable, id: Int64, at time: Instant, _ database: Database) throws -> (chain: Int64, link: AuditLink) {
        if !state.chains.isOpen(table) { try open(table, at: time, database) }
        nextIDs[Int(table.code)] = id + 1
        return state.chains.extend(table, id: id, row, identity.functions)
    }

    private func open(_ table: AuditTable, at time: Instant, _ database: Database) throws {
        let id = try identity.functions.randomBytes(AuditChain.idLength)
        try database.execute(
            sql: "INSERT INTO audit_chain (id, writer, table_name, opened_at) VALUES (?, ?, ?, ?)",
            arguments: [id.data, identity.writer.data, table.rawValue, time.milliseconds])
        let chain = AuditChain(
            number: database.lastInsertedRowID, id: id, writer: identity.writer, table: table, openedAt: time)
        state.chains.open(chain, identity.functions)
    }
}

extension [UInt8] {
    /// The bytes in the type that GRDB stores as a blob.
    var data: Data { Data(self) }
}
