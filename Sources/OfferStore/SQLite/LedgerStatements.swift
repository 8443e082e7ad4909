import EligibilityRules
import FoundationEssentials
import GRDB
import GRDBSQLite

/// The ledger's prepared statements, stepped directly: a request some 20 µs, no value boxed on the way.
///
/// Made anew for each batch (GRDB keeps them compiled) and used on the writer's connection only, in one transaction.
struct LedgerStatements {
    private let database: Database
    private let insertRequest: OpaquePointer
    private let insertAnswer: OpaquePointer
    /// By the number of nonces.
    private var nonceInsertions: [Int: OpaquePointer] = [:]
    private var columns = BoundColumns()
    /// Number of the next row.
    private var next: Int64

    init(_ database: Database) throws {
        self.database = database
        insertRequest = try database.cachedStatement(
            sql: """
                INSERT INTO signed_request (id, signed_at, bundle_id, key_id, form, caller, customer_id, application_username,
                transaction_id, request_id, nonces, digests, offers) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).sqliteStatement
        insertAnswer = try database.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO idempotency (caller, key, request_digest, answer, created_at) VALUES (?, ?, ?, ?, ?)
                """
        ).sqliteStatement
        let latest = try database.cachedStatement(sql: "SELECT max(id) FROM signed_request")
        next = (try Int64.fetchOne(latest) ?? 0) + 1
    }

    /// Records the entries of one request. If one of their nonces is there already, it gives that one and has written nothing.
    mutating func insert(_ entries: [LedgerEntry]) throws -> UUID? {
        guard !entries.isEmpty else { return nil }
        guard try insertNonces(of: entries) else { return try usedNonce(of: entries) }
        for entry in entries { try insert(entry) }
        return nil
    }

    private mutating func insert(_ entry: LedgerEntry) throws {
        columns.clear()
        columns.append(next)
        columns.append(entry.signedAt.milliseconds)
        columns.append(entry.bundleID)
        columns.append(entry.keyID)
        columns.append(entry.form.rawValue)
        columns.append(entry.caller)
        columns.append(entry.customerID)
        columns.append(entry.applicationUsername)
        columns.append(entry.transactionID)
        columns.append(entry.requestID)
        columns.appendBlob { bytes in
            for index in entry.signatures.indices { withUnsafeBytes(of: entry.signatures[index].nonce.uuid) { bytes += $0 } }
        }
        columns.appendBlob { bytes in for index in entry.signatures.indices { bytes += entry.signatures[index].digest } }
        columns.appendText { OfferList.append(entry.signatures, to: &$0) }
        guard columns.step(insertRequest) == SQLITE_DONE else { throw failure }
        next += 1
    }

    /// Keeps an answer under its idempotency key.
    mutating func insert(_ record: IdempotencyRecord) throws {
        columns.clear()
        columns.append(record.caller)
        columns.append(record.key)
        columns.append(record.requestDigest)
        columns.append(record.answer)
        columns.append(record.createdAt.milliseconds)
        guard columns.step(insertAnswer) == SQLITE_DONE else { throw failure }
    }

    /// Takes all the nonces or, if one is taken already, none: a statement stands or falls as a whole.
    private mutating func insertNonces(of entries: [LedgerEntry]) throws -> Bool {
        columns.clear()
        var count = 0
        for (index, entry) in entries.enumerated() {
            for signature in entry.signatures.indices {
                columns.appendBlob { bytes in withUnsafeBytes(of: entry.signatures[signature].nonce.uuid) { bytes += $0 } }
                columns.append(next + Int64(index))
            }
            count += entry.signatures.count
        }
        switch columns.step(try nonceInsertion(of: count)) {
        case SQLITE_DONE: return true
        case LedgerStatements.primaryKeyViolated: return false
        default: throw failure
        }
    }

    private mutating func nonceInsertion(of count: Int) throws -> OpaquePointer {
        if let statement = nonceInsertions[count] { return statement }
        let rows = Array(repeating: "(?, ?)", count: count).joined(separator: ", ")
        let statement = try database.cachedStatement(sql: "INSERT INTO nonce (nonce, signed_request) VALUES \(rows)")
            .sqliteStatement
        nonceInsertions[count] = statement
        return statement
    }

    /// The first nonce that was recorded before or stands among the entries twice.
    private func usedNonce(of entries: [LedgerEntry]) throws -> UUID {
        let isRecorded = try database.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM nonce WHERE nonce = ?)")
        var seen: Set<UUID> = []
        for nonce in entries.flatMap(\.signatures).map(\.nonce) {
            let isNew = seen.insert(nonce).inserted
            if try !isNew || Bool.fetchOne(isRecorded, arguments: [nonce.databaseBytes])! { return nonce }
        }
        throw StoreError(.damaged, "SQLite refused a nonce that it does not have")
    }

    private var failure: StatementFailure { StatementFailure(database.sqliteConnection!) }

    // GRDB has extended result codes on; the header builds this one with a macro that Swift does not import.
    private static let primaryKeyViolated = SQLITE_CONSTRAINT | 6 << 8
}
