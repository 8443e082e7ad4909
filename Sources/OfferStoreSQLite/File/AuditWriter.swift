import EligibilityRules
import FoundationEssentials
import GRDB
import OfferStore

// Under the thread sanitizer a lock of the module's own stands in.
#if !THREAD_SANITIZER
    import Synchronization
#endif

/// The chains of this process on the connection that writes.
///
/// Unchecked: all but the signer is reached on the writer's queue only.
final class AuditWriter: @unchecked Sendable {
    let identity: AuditIdentity
    /// For the row that is written now.
    let row = AuditRowEncoder()
    /// What the transaction that runs makes of the log.
    var state: AuditState
    private var durable: AuditState
    /// By the tables' codes; 0 where it is not known in this transaction.
    private var nextIDs: [Int64] = Array(repeating: 0, count: AuditTable.allCases.count + 1)
    private let signer = Mutex<AuditSigner?>(nil)

    /// Reads the store's secret, which it makes the first time.
    init(_ functions: AuditFunctions, _ database: Database) throws {
        identity = try AuditIdentity(functions) { make in
            let name = "audit"
            try database.execute(sql: "INSERT OR IGNORE INTO secret VALUES (?, ?)", arguments: [name, try make().data])
            return Array(try Data.fetchOne(database, sql: "SELECT value FROM secret WHERE name = ?", arguments: [name])!)
        }
        durable = AuditState(identity)
        state = durable
    }

    /// Begins a transaction: nothing of one that failed is left.
    func begin() {
        state = durable
        for index in nextIDs.indices { nextIDs[index] = 0 }
    }

    /// Takes note that the transaction is durable.
    func commit() { durable = state }

    /// With which key to seal; nil with none.
    func use(_ signer: AuditSigner?) { self.signer.withLock { $0 = signer } }

    /// With which key to seal; nil with none.
    var currentSigner: AuditSigner? { signer.withLock { $0 } }

    /// The number of the next row of a table: one that no row ever had.
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
                    (SELECT max(unchained, removed) FROM audit_table WHERE name = '\(table.rawValue)')) + 1
                """
            return (table, sql)
        })

    /// Links the row in the encoder, which is to be inserted with this id, to its chain.
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
    /// As GRDB takes a blob.
    var data: Data { Data(self) }
}
