public import EligibilityRules
public import FoundationEssentials
import GRDB

/// Ties redemptions to ledger rows in SQLite.
public struct SQLiteRedemptionStore: RedemptionStore {
    /// A signature can be redeemed for 24 hours; the clocks of the App Store and ours may differ by a minute. In ms.
    private static let window: Int64 = 24 * 3600 * 1000
    private static let tolerance: Int64 = 60 * 1000

    private struct Redemption: Sendable {
        let transactionID: String
        let app: Int64
        let bundleID: String
        let productID: String
        let offerID: String
        let purchasedAt: Int64
        let customerID: String?
        let appAccountToken: String?
        let chain: Int64
        let originalTransactionID: String
    }

    private let store: SQLiteStore

    /// Shares the store's writer with everybody else.
    public init(store: SQLiteStore) { self.store = store }

    /// Looks beside the writer, then notes in one transaction.
    public func tieRedemptions(
        limit: Int,
        now: Instant
    ) async throws(StoreError) -> (examined: Int, tied: Int) {
        let found = try await store.read("look for the signatures of redemptions") { database in
            var taken: Set<Data> = []
            return try Self.toTie(limit, database).map { redemption in
                let nonce = try Self.signature(of: redemption, besides: taken, database)
                if let nonce { taken.insert(nonce) }
                return (redemption, nonce)
            }
        }
        guard !found.isEmpty else { return (0, 0) }
        try await store.write("tie redemptions to signatures") { database in
            for (redemption, nonce) in found {
                try database.execute(
                    sql: "UPDATE redemption SET nonce = ?, searched_at = ? WHERE transaction_id = ? AND app = ?",
                    arguments: [nonce, now.milliseconds, databaseValue(redemption.transactionID), redemption.app]
                )
            }
        }
        return (found.count, found.count { $0.1 != nil })
    }

    /// By the redemption's key.
    public func nonce(redeemedBy transactionID: String, bundleID: String) async throws(StoreError) -> UUID? {
        try await store.read("look up a redemption") { database in
            let bytes = try Data.fetchOne(
                database,
                sql: """
                    SELECT nonce FROM redemption JOIN app ON app.number = redemption.app
                    WHERE transaction_id = ? AND bundle_id = ?
                    """,
                arguments: [databaseValue(transactionID), bundleID]
            )
            return bytes.flatMap(UUID.init(bytes:))
        }
    }

    private static func toTie(_ limit: Int, _ database: Database) throws -> [Redemption] {
        let sql = """
            SELECT redemption.transaction_id, redemption.app, bundle_id, product_id, offer_id, purchased_at,
                customer_id, app_account_token, chain, original_transaction_id
            FROM redemption JOIN app ON app.number = redemption.app JOIN purchase_chain ON purchase_chain.id = chain
            WHERE nonce IS NULL AND searched_at IS NULL ORDER BY purchased_at LIMIT ?
            """
        let statement = try PreparedStatement(database, sql)
        defer { statement.reset() }
        statement.bind(Int64(limit), at: 1)
        var redemptions: [Redemption] = []
        while try statement.step() {
            redemptions.append(
                Redemption(
                    transactionID: statement.text(0), app: statement.number(1), bundleID: statement.text(2),
                    productID: statement.text(3), offerID: statement.text(4), purchasedAt: statement.number(5),
                    customerID: statement.optionalText(6), appAccountToken: statement.optionalText(7),
                    chain: statement.number(8), originalTransactionID: statement.text(9)
                ))
        }
        return redemptions
    }

    // Rows are in order of commit, which is the order of time up to what one batch holds: from the purchase backwards,
    // the signature is found within the minutes that a customer takes; an index would cost every signature instead.
    private static func signature(
        of redemption: Redemption,
        besides taken: Set<Data>,
        _ database: Database
    ) throws -> Data? {
        let last = redemption.purchasedAt + tolerance
        guard let end = try lastRow(signedBefore: last, database) else { return nil }
        let statement = try PreparedStatement(
            database,
            """
            SELECT nonce, signed_at, bundle_id = ?2 AND product_id = ?3 AND offer_id = ?4
                AND (customer_id = ?5 OR application_username = ?6 OR ledger.transaction_id = ?7 OR EXISTS (
                    SELECT 1 FROM purchase_transaction AS known
                    WHERE known.chain = ?8 AND known.app = ?9
                        AND (known.transaction_id = ledger.transaction_id
                            OR CAST(known.transaction_id AS TEXT) = ledger.transaction_id)))
                AND NOT EXISTS (SELECT 1 FROM redemption WHERE redemption.nonce = ledger.nonce)
            FROM ledger WHERE rowid <= ?1 ORDER BY rowid DESC
            """
        )
        defer { statement.reset() }
        statement.bind(end, at: 1)
        statement.bind(redemption.bundleID, at: 2)
        statement.bind(redemption.productID, at: 3)
        statement.bind(redemption.offerID, at: 4)
        statement.bind(redemption.customerID, at: 5)
        statement.bind(redemption.appAccountToken, at: 6)
        statement.bind(redemption.originalTransactionID, at: 7)
        statement.bind(redemption.chain, at: 8)
        statement.bind(redemption.app, at: 9)
        while try statement.step() {
            let signedAt = statement.number(1)
            if signedAt < redemption.purchasedAt - window - tolerance { return nil }
            guard statement.number(2) == 1, signedAt <= last else { continue }
            let nonce = statement.withBytes(0) { Data($0) }
            if !taken.contains(nonce) { return nonce }
        }
        return nil
    }

    /// The row of the latest signature before an instant, by halving: row ids grow with time.
    private static func lastRow(signedBefore instant: Int64, _ database: Database) throws -> Int64? {
        guard let first = try Int64.fetchOne(database, sql: "SELECT min(rowid) FROM ledger"),
            let last = try Int64.fetchOne(database, sql: "SELECT max(rowid) FROM ledger")
        else { return nil }
        var (low, high) = (first, last)
        while low < high {
            let middle = low + (high - low + 1) / 2
            let signedAt = try Int64.fetchOne(
                database, sql: "SELECT signed_at FROM ledger WHERE rowid >= ? ORDER BY rowid LIMIT 1", arguments: [middle])
            if let signedAt, signedAt <= instant { low = middle } else { high = middle - 1 }
        }
        // Within a batch the order may differ by a little.
        return low + 64
    }
}

/// An App Store id as the store keeps it.
private func databaseValue(_ id: String) -> DatabaseValue {
    if let number = Int64(id), number >= 0, String(number) == id { return number.databaseValue }
    return id.databaseValue
}

extension UUID {
    fileprivate init?(bytes: Data) {
        guard bytes.count == 16 else { return nil }
        self = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}
