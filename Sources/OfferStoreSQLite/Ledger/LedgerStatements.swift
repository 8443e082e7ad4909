import EligibilityRules
import FoundationEssentials
import GRDB
import GRDBSQLite
import OfferStore

/// The ledger's prepared statements, stepped directly: a request some 20 µs, no value boxed on the way.
///
/// Made anew for each batch (GRDB keeps them compiled) and used on the writer's connection only, in one transaction.
struct LedgerStatements {
    private let database: Database
    private let requestInsertion: OpaquePointer
    private let answerInsertion: OpaquePointer
    /// By the number of series.
    private var seriesInsertions: [Int: OpaquePointer] = [:]
    private var columns = BoundColumns()
    /// Number of the next row.
    private var next: Int64

    init(_ database: Database) throws {
        self.database = database
        requestInsertion = try database.cachedStatement(
            sql: """
                INSERT INTO signed_request (id, signed_at, bundle_id, key_id, form, caller, customer_id, application_username,
                transaction_id, request_id, nonces, digests, offers) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).sqliteStatement
        answerInsertion = try database.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO idempotency (caller, key, request_digest, answer, created_at) VALUES (?, ?, ?, ?, ?)
                """
        ).sqliteStatement
        let latest = try database.cachedStatement(sql: "SELECT max(id) FROM signed_request")
        next = (try Int64.fetchOne(latest) ?? 0) + 1
    }

    /// Records an entry. If one of its nonces is there already, it gives that one and has written nothing.
    mutating func insert(_ entry: LedgerEntry) throws -> UUID? {
        var nonces = NonceSet()
        let twice = entry.signatures.withUnsafeBufferPointer { signatures in
            signatures.indices.first { !nonces.insert(signatures[$0].nonce) }
        }
        if let twice { return entry.signatures[twice].nonce }
        guard try insert(nonces.series) else { return try usedNonce(of: entry) }
        try insertRequest(entry)
        return nil
    }

    private mutating func insertRequest(_ entry: LedgerEntry) throws {
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
        entry.signatures.withUnsafeBufferPointer { signatures in
            columns.appendBlob { bytes in
                for index in signatures.indices { withUnsafeBytes(of: signatures[index].nonce.uuid) { bytes += $0 } }
            }
            columns.appendBlob { bytes in for index in signatures.indices { bytes += signatures[index].digest } }
            columns.appendText { OfferList.append(signatures, to: &$0) }
        }
        guard columns.step(requestInsertion) == SQLITE_DONE else { throw failure }
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
        guard columns.step(answerInsertion) == SQLITE_DONE else { throw failure }
    }

    /// Takes all the series or, if one is taken already, none: a statement stands or falls as a whole.
    private mutating func insert(_ series: [UInt64]) throws -> Bool {
        columns.clear()
        for series in series {
            columns.appendBlob { bytes in withUnsafeBytes(of: series.bigEndian) { bytes += $0 } }
            columns.append(next)
        }
        switch columns.step(try seriesInsertion(of: series.count)) {
        case SQLITE_DONE: return true
        case LedgerStatements.primaryKeyViolated: return false
        default: throw failure
        }
    }

    private mutating func seriesInsertion(of count: Int) throws -> OpaquePointer {
        if let statement = seriesInsertions[count] { return statement }
        let rows = Array(repeating: "(?, ?)", count: count).joined(separator: ", ")
        let sql = "INSERT INTO nonce_series (series, signed_request) VALUES \(rows)"
        let statement = try database.cachedStatement(sql: sql).sqliteStatement
        seriesInsertions[count] = statement
        return statement
    }

    /// The first nonce whose series was recorded before.
    private func usedNonce(of entry: LedgerEntry) throws -> UUID {
        let isRecorded = try database.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM nonce_series WHERE series = ?)")
        for signature in entry.signatures {
            if try Bool.fetchOne(isRecorded, arguments: [signature.nonce.seriesBytes])! { return signature.nonce }
        }
        throw StoreError(.damaged, "SQLite refused a nonce that it does not have")
    }

    private var failure: StatementFailure { StatementFailure(database.sqliteConnection!) }

    // GRDB has extended result codes on; the header builds this one with a macro that Swift does not import.
    private static let primaryKeyViolated = SQLITE_CONSTRAINT | 6 << 8
}
