public import EligibilityRules
public import FoundationEssentials
import GRDB
public import OfferStore

/// Ties redemptions to ledger rows in SQLite.
public struct SQLiteRedemptionStore: RedemptionStore {
    /// Maximum number of rows that a read goes back: about half a second.
    private static let maxRows: Int64 = 1_000_000

    private struct Untied: Sendable {
        let app: Int64
        let originalTransactionID: String
        let match: RedemptionMatch
    }

    let histories: SQLiteStore
    let hash: SipHash
    private let signatures: SQLiteStore

    /// - Parameter signatures: the file of the ledger, which is only read.
    public init(_ file: SQLiteHistoryFile, signatures: SQLiteStore) {
        histories = file.store
        hash = file.customerHash
        self.signatures = signatures
    }

    /// Searches beside the writer, with a few reads for each redemption. Then records in one transaction what still holds.
    public func tieRedemptions(
        limit: Int,
        now: Instant
    ) async throws(StoreError) -> (examined: Int, tied: Int) {
        let purpose = "look for the signatures of redemptions"
        var found: [(Untied, UUID?)] = []
        var taken: Set<UUID> = []
        for untied in try await histories.read(purpose, { try Self.toTie(limit, $0) }) {
            // A subscription may have thousands of periods. They are read only where a signature may be found.
            guard try await signatures.read(purpose, { try Self.isAnySigned(within: untied.match, $0) }) else {
                found.append((untied, nil))
                continue
            }
            let match = try await histories.read(purpose) { [hash] in try Self.match(untied, hash, $0) }
            let candidates = try await signatures.read(purpose) { try Self.candidates(for: match, $0) }
            let nonce = try await histories.read(purpose) { [taken] database in
                try candidates.first { try !taken.contains($0) && !Self.isRedeemed($0, database) }
            }
            if let nonce { taken.insert(nonce) }
            found.append((untied, nonce))
        }
        guard !found.isEmpty else { return (0, 0) }
        try await histories.write("tie redemptions to signatures") { [found] database in
            for (untied, nonce) in found {
                try database.execute(
                    sql: """
                        UPDATE redemption SET nonce = ?1, searched_at = ?2, version = version + (?1 IS NOT NULL)
                        WHERE transaction_id = ?3 AND app = ?4 AND nonce IS NULL
                            AND NOT EXISTS (SELECT 1 FROM redemption AS other WHERE other.nonce = ?1)
                            AND (SELECT customer_id FROM purchase_chain WHERE id = chain) IS ?5
                        """,
                    arguments: [
                        nonce?.databaseBytes, now.milliseconds, untied.match.redemption.transactionID.storedID, untied.app,
                        untied.match.customerID,
                    ]
                )
            }
        }
        return (found.count, found.count { $0.1 != nil })
    }

    /// Finds the row by the redemption's key.
    public func nonce(redeemedBy transactionID: String, partition: AppPartition) async throws(StoreError) -> UUID? {
        try await histories.read("look up a redemption") { database in
            let bytes = try Data.fetchOne(
                database,
                sql: """
                    SELECT nonce FROM redemption JOIN app ON app.number = redemption.app
                    WHERE transaction_id = ? AND app.name = ?
                    """,
                arguments: [transactionID.storedID, partition.name]
            )
            return bytes.flatMap(UUID.init(databaseBytes:))
        }
    }

    /// Finds rows by the redemptions' keys, in one read.
    public func nonces(redeemedBy transactionIDs: [String], partition: AppPartition) async throws(StoreError) -> [ExactText: UUID]
    {
        guard !transactionIDs.isEmpty else { return [:] }
        return try await histories.read("look up redemptions") { database in
            guard let app = try AppNumbers.existing(partition, database) else { return [:] }
            let statement = try database.cachedStatement(
                sql: "SELECT nonce FROM redemption WHERE transaction_id = ? AND app = ?")
            var nonces: [ExactText: UUID] = [:]
            for id in transactionIDs {
                let bytes = try Data.fetchOne(statement, arguments: [id.storedID, app])
                nonces[ExactText(id)] = bytes.flatMap(UUID.init(databaseBytes:))
            }
            return nonces
        }
    }

    private static func toTie(_ limit: Int, _ database: Database) throws -> [Untied] {
        let sql = """
            SELECT redemption.transaction_id, redemption.app, app.name, product_id, offer_id, purchased_at,
                customer_id, app_account_token, original_transaction_id
            FROM redemption JOIN app ON app.number = redemption.app JOIN purchase_chain ON purchase_chain.id = chain
            WHERE nonce IS NULL AND searched_at IS NULL ORDER BY purchased_at LIMIT ?
            """
        let statement = try PreparedStatement(database, sql)
        defer { statement.reset() }
        statement.bind(Int64(limit), at: 1)
        var untied: [Untied] = []
        while try statement.step() {
            let redemption = RedemptionRecord(
                transactionID: statement.text(0), productID: statement.text(3), offerID: statement.text(4),
                purchasedAt: Instant(milliseconds: statement.number(5)))
            let match = RedemptionMatch(
                redemption, partition: AppPartition(name: statement.text(2)), customerID: statement.optionalText(6),
                appAccountToken: statement.optionalText(7))
            untied.append(Untied(app: statement.number(1), originalTransactionID: statement.text(8), match: match))
        }
        return untied
    }

    // Rows are in the order of commit, which is the order of time except within a batch. A backward scan from the purchase finds
    // the signature within the minutes that a customer takes. An index would slow every signature instead.
    private static func candidates(for match: RedemptionMatch, _ database: Database) throws -> [UUID] {
        guard let end = try lastRow(signedBefore: match.last.milliseconds, database) else { return [] }
        // `match` decides which rows match. SQLite skips most of the others.
        let statement = try PreparedStatement(
            database,
            """
            SELECT signed_at, bundle_id = ?2 AND (customer_id IN (SELECT value FROM json_each(?3)) OR application_username = ?4 OR transaction_id IS NOT NULL),
                customer_id, application_username, transaction_id, offers, nonces
            FROM signed_request WHERE id <= ?1 ORDER BY id DESC LIMIT ?5
            """
        )
        defer { statement.reset() }
        statement.bind(end, at: 1)
        statement.bind(match.partition.name, at: 2)
        statement.bind(try match.customerIDs.json, at: 3)
        statement.bind(match.appAccountToken, at: 4)
        statement.bind(maxRows, at: 5)
        var candidates = RedemptionCandidates(match)
        while !candidates.isFull, try statement.step() {
            let signedAt = Instant(milliseconds: statement.number(0))
            if signedAt < match.first { break }
            guard statement.number(1) == 1 else { continue }
            let isMatch = match.mayBeOf(
                partition: match.partition, customerID: statement.optionalText(2),
                applicationUsername: statement.optionalText(3), transactionID: statement.optionalText(4), signedAt: signedAt)
            guard isMatch else { continue }
            let offers = statement.text(5)
            try statement.withBytes(6) { try candidates.add(offers: offers, nonces: $0) }
        }
        return candidates.nonces
    }

    private static func isAnySigned(within match: RedemptionMatch, _ database: Database) throws -> Bool {
        guard let end = try lastRow(signedBefore: match.last.milliseconds, database) else { return false }
        let latest = try Int64.fetchOne(
            database, sql: "SELECT signed_at FROM signed_request WHERE id <= ? ORDER BY id DESC LIMIT 1", arguments: [end])
        return latest.map { $0 >= match.first.milliseconds } ?? false
    }

    private static func isRedeemed(_ nonce: UUID, _ database: Database) throws -> Bool {
        try Bool.fetchOne(
            database, sql: "SELECT EXISTS (SELECT 1 FROM redemption WHERE nonce = ?)", arguments: [nonce.databaseBytes])!
    }

    private static func match(_ untied: Untied, _ hash: SipHash, _ database: Database) throws -> RedemptionMatch {
        var match = untied.match
        let reading = try HistoryReading(database, .whole, hash)
        let stored = try reading.chain(originalTransactionID: HistoryKey(untied.app, untied.originalTransactionID))
        if let stored { match.add(transactionsOf: stored.chain) }
        if let customer = match.customerID.map({ HistoryKey(untied.app, $0) }) {
            for other in try reading.chains(.customer, customer) { match.add(transactionsOf: other.chain) }
            match.aliases = try CustomerTable(database, hash).aliases(of: customer)
        }
        return match
    }

    /// The row of the latest signature before an instant, by binary search: row ids grow with time.
    private static func lastRow(signedBefore instant: Int64, _ database: Database) throws -> Int64? {
        guard let first = try Int64.fetchOne(database, sql: "SELECT min(id) FROM signed_request"),
            let last = try Int64.fetchOne(database, sql: "SELECT max(id) FROM signed_request")
        else { return nil }
        var (low, high) = (first, last)
        while low < high {
            let middle = low + (high - low + 1) / 2
            let signedAt = try Int64.fetchOne(
                database, sql: "SELECT signed_at FROM signed_request WHERE id >= ? ORDER BY id LIMIT 1", arguments: [middle])
            if let signedAt, signedAt <= instant { low = middle } else { high = middle - 1 }
        }
        // Within a batch the order may differ slightly.
        return low + 64
    }
}
