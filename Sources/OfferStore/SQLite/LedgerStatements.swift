import EligibilityRules
import FoundationEssentials
import GRDB
import GRDBSQLite

/// The ledger's prepared statements, stepped directly: a row a few µs, no value boxed on the way.
///
/// Made anew for each batch (GRDB keeps them compiled) and used on the writer's connection only.
struct LedgerStatements {
    /// What one row binds, one text after the other, so that SQLite need not copy them.
    private struct Row {
        private static let null = -1

        private(set) var bytes: [UInt8] = []
        private(set) var lengths: [Int] = []

        mutating func clear() {
            bytes.removeAll(keepingCapacity: true)
            lengths.removeAll(keepingCapacity: true)
        }

        mutating func append(_ text: String?) {
            guard var text else { return lengths.append(Row.null) }
            text.withUTF8 { append($0) }
        }

        mutating func append(_ part: some Collection<UInt8>) {
            bytes.append(contentsOf: part)
            lengths.append(part.count)
        }

        /// Binds all parts from the first parameter on, so many of them as blobs; `body` steps while they stay in place.
        func bind<Result>(to statement: OpaquePointer, blobs: Int, _ body: () -> Result) -> Result {
            bytes.withUnsafeBufferPointer { all in
                var offset = 0
                for (index, length) in lengths.enumerated() {
                    let parameter = Int32(index) + 1
                    guard length != Row.null else {
                        sqlite3_bind_null(statement, parameter)
                        continue
                    }
                    let start = UnsafeRawPointer(all.baseAddress! + offset)
                    if index < blobs {
                        sqlite3_bind_blob(statement, parameter, start, Int32(length), nil)
                    } else {
                        sqlite3_bind_text(
                            statement, parameter, start.assumingMemoryBound(to: CChar.self), Int32(length), nil)
                    }
                    offset += length
                }
                defer { sqlite3_clear_bindings(statement) }
                return body()
            }
        }
    }

    private let insertEntry: OpaquePointer
    private let insertAnswer: OpaquePointer
    private let connection: OpaquePointer
    private var row = Row()

    init(_ database: Database) throws {
        connection = database.sqliteConnection!
        // Texts and blobs first, the integer last: the order in which `Row` binds them.
        insertEntry = try database.cachedStatement(
            sql: """
                INSERT INTO ledger (nonce, digest, bundle_id, key_id, product_id, offer_id, form, caller, customer_id,
                application_username, transaction_id, request_id, signed_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).sqliteStatement
        insertAnswer = try database.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO idempotency (request_digest, answer, caller, key, created_at)
                VALUES (?, ?, ?, ?, ?)
                """
        ).sqliteStatement
    }

    /// Inserts a row. False if its nonce is there already.
    mutating func insert(_ entry: LedgerEntry) throws -> Bool {
        row.clear()
        withUnsafeBytes(of: entry.nonce.uuid) { row.append($0) }
        row.append(entry.digest)
        row.append(entry.bundleID)
        row.append(entry.keyID)
        row.append(entry.productID)
        row.append(entry.offerID)
        row.append(entry.form.rawValue)
        row.append(entry.caller)
        row.append(entry.customerID)
        row.append(entry.applicationUsername)
        row.append(entry.transactionID)
        row.append(entry.requestID)
        switch step(insertEntry, last: entry.signedAt.milliseconds) {
        case SQLITE_DONE: return true
        case LedgerStatements.primaryKeyViolated: return false
        default: throw failure
        }
    }

    /// Keeps an answer under its idempotency key.
    mutating func insert(_ record: IdempotencyRecord) throws {
        row.clear()
        row.append(record.requestDigest)
        row.append(record.answer)
        row.append(record.caller)
        row.append(record.key)
        guard step(insertAnswer, last: record.createdAt.milliseconds) == SQLITE_DONE else { throw failure }
    }

    private func step(_ statement: OpaquePointer, last: Int64) -> Int32 {
        defer { sqlite3_reset(statement) }
        return row.bind(to: statement, blobs: 2) {
            sqlite3_bind_int64(statement, Int32(row.lengths.count) + 1, last)
            return sqlite3_step(statement)
        }
    }

    private var failure: StatementFailure { StatementFailure(connection) }

    // GRDB has extended result codes on; the header builds this one with a macro that Swift does not import.
    private static let primaryKeyViolated = SQLITE_CONSTRAINT | 6 << 8
}
