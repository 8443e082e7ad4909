import EligibilityRules
import GRDB
import OfferStore

/// The receipts of subscriptions on the writer's connection, inside a transaction.
struct ReceiptTable {
    private let select: PreparedStatement
    private let upsert: PreparedStatement
    private let update: PreparedStatement

    init(_ database: Database) throws {
        select = try PreparedStatement(
            database, "SELECT shown_at, verified_at, due_at, reason FROM receipt WHERE app = ? AND name = ?")
        upsert = try PreparedStatement(
            database,
            """
            INSERT INTO receipt (app, name, kept_at, shown_at, verified_at, due_at, sealed) VALUES (?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET kept_at = excluded.kept_at, shown_at = excluded.shown_at,
                verified_at = excluded.verified_at, due_at = excluded.due_at, failures = 0, reason = NULL, sealed = excluded.sealed
            """
        )
        update = try PreparedStatement(database, "UPDATE receipt SET due_at = ? WHERE app = ? AND name = ?")
    }

    func state(ofOriginalTransactionID key: HistoryKey) throws -> ReceiptState? {
        defer { select.reset() }
        select.bind(key.app, at: 1)
        select.bind(id: key.string, at: 2)
        guard try select.step() else { return nil }
        return ReceiptState(
            shownAt: Instant(milliseconds: select.number(0)), verifiedAt: select.instant(1), dueAt: select.instant(2),
            reason: select.optionalText(3))
    }

    func keep(_ receipt: KeptReceipt, at now: Instant, dueAt: Instant?, app: Int64) throws {
        upsert.bind(app, at: 1)
        upsert.bind(id: receipt.originalTransactionID, at: 2)
        upsert.bind(now.milliseconds, at: 3)
        upsert.bind(receipt.shownAt.milliseconds, at: 4)
        upsert.bind(receipt.verifiedAt?.milliseconds, at: 5)
        upsert.bind(dueAt?.milliseconds, at: 6)
        upsert.bind(receipt.sealed, at: 7)
        try upsert.run()
    }

    func schedule(_ key: HistoryKey, at instant: Instant?) throws {
        update.bind(instant?.milliseconds, at: 1)
        update.bind(key.app, at: 2)
        update.bind(id: key.string, at: 3)
        try update.run()
    }
}

extension PreparedStatement {
    /// A time in ms; nil for NULL.
    func instant(_ column: Int32) -> Instant? { isNull(column) ? nil : Instant(milliseconds: number(column)) }
}
