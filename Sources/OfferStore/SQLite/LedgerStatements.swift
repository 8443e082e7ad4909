import EligibilityRules
import FoundationEssentials
import GRDB
import GRDBSQLite

/// The ledger's prepared statements, stepped directly: a row a few µs, no value boxed on the way.
///
/// Made anew for each batch (GRDB keeps them compiled) and used on the writer's connection only.
struct LedgerStatements {
    /// SQLite refused a statement; the whole batch is to be rolled back.
    struct Failure: Error {
        let message: String
    }

    private let insertEntry: OpaquePointer
    private let insertAnswer: OpaquePointer
    private let connection: OpaquePointer
    // SQLite copies the bytes before `bind` returns.
    private let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    init(_ database: Database) throws {
        connection = database.sqliteConnection!
        insertEntry = try database.cachedStatement(
            sql: "INSERT INTO ledger VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        ).sqliteStatement
        insertAnswer = try database.cachedStatement(
            sql: "INSERT OR REPLACE INTO idempotency VALUES (?, ?, ?, ?, ?)"
        ).sqliteStatement
    }

    /// Inserts a row. False if its nonce is there already.
    func insert(_ entry: LedgerEntry) throws -> Bool {
        let statement = insertEntry
        defer { sqlite3_reset(statement) }
        withUnsafeBytes(of: entry.nonce.uuid) { bind($0, 1, statement) }
        sqlite3_bind_int64(statement, 2, entry.signedAt.milliseconds)
        bind(entry.bundleID, 3, statement)
        bind(entry.keyID, 4, statement)
        bind(entry.productID, 5, statement)
        bind(entry.offerID, 6, statement)
        bind(entry.form.rawValue, 7, statement)
        bind(entry.caller, 8, statement)
        bind(entry.customerID, 9, statement)
        bind(entry.applicationUsername, 10, statement)
        bind(entry.transactionID, 11, statement)
        bind(entry.requestID, 12, statement)
        entry.digest.withUnsafeBytes { bind($0, 13, statement) }
        switch sqlite3_step(statement) {
        case SQLITE_DONE: return true
        case SQLITE_CONSTRAINT where sqlite3_extended_errcode(connection) == SQLITE_CONSTRAINT_PRIMARYKEY_CODE:
            return false
        default: throw failure
        }
    }

    /// Keeps an answer under its idempotency key.
    func insert(_ record: IdempotencyRecord) throws {
        let statement = insertAnswer
        defer { sqlite3_reset(statement) }
        bind(record.caller, 1, statement)
        bind(record.key, 2, statement)
        record.requestDigest.withUnsafeBytes { bind($0, 3, statement) }
        record.answer.withUnsafeBytes { bind($0, 4, statement) }
        sqlite3_bind_int64(statement, 5, record.createdAt.milliseconds)
        guard sqlite3_step(statement) == SQLITE_DONE else { throw failure }
    }

    private var failure: Failure { Failure(message: String(cString: sqlite3_errmsg(connection))) }

    private func bind(_ text: String?, _ index: Int32, _ statement: OpaquePointer) {
        guard var text else {
            sqlite3_bind_null(statement, index)
            return
        }
        text.withUTF8 { bytes in
            let start = UnsafeRawPointer(bytes.baseAddress)?.assumingMemoryBound(to: CChar.self)
            sqlite3_bind_text(statement, index, start, Int32(bytes.count), transient)
        }
    }

    private func bind(_ bytes: UnsafeRawBufferPointer, _ index: Int32, _ statement: OpaquePointer) {
        sqlite3_bind_blob(statement, index, bytes.baseAddress, Int32(bytes.count), transient)
    }

    // The header builds this code with a macro that Swift does not import.
    private let SQLITE_CONSTRAINT_PRIMARYKEY_CODE = SQLITE_CONSTRAINT | 6 << 8
}
