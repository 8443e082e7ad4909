import EligibilityRules
import FoundationEssentials
import GRDB
import OfferStore
import OfferStoreSQL

/// Finds the uses of limits, on the writer's connection. Created for each transaction.
struct Reservations {
    private let database: Database
    private let index: LimitIndex
    private let selection: PreparedStatement

    /// - Parameter index: records what is new.
    init(_ database: Database, _ index: LimitIndex) throws {
        self.database = database
        self.index = index
        try index.catchUp(database)
        selection = try PreparedStatement(
            database, "SELECT signatures FROM reservation WHERE id <= ? ORDER BY id DESC LIMIT 1")
    }

    /// The uses that may refuse something, or hold a place.
    func uses(_ keys: LedgerKeys) throws -> [LimitKey: LimitUses] {
        var needed: Set<LimitKey> = []
        // Most customers have no uses, or too few for a refusal.
        var takers: [LimitKey: Int]?
        for count in keys.counts where mayRefuse(count, keys, &takers) {
            for name in keys.names[count.names] where index.mayHave(under: name.key) { needed.insert(name.key) }
        }
        return try needed.reduce(into: [:]) { found, name in found[name] = try uses(under: name) }
    }

    /// Whether the uses may matter for a reservation, with those that the batch may take before it.
    ///
    /// - Parameter takers: how many reservations of the batch have each name; nil if not counted yet.
    private func mayRefuse(_ count: LedgerKeys.Count, _ keys: LedgerKeys, _ takers: inout [LimitKey: Int]?) -> Bool {
        var uses = 0
        for name in keys.names[count.names] {
            if index.redeemed.mayContain(name.key) { return true }
            uses += index.reservations.count(under: name.key)
        }
        guard uses > 0, uses + keys.names.count > count.spare else { return false }
        let all = takers ?? keys.names.reduce(into: [:]) { $0[$1.key, default: 0] += 1 }
        takers = all
        return keys.names[count.names].reduce(uses) { $0 + all[$1.key]! - 1 } > count.spare
    }

    private func uses(under name: LimitKey) throws -> LimitUses {
        var uses = LimitUses()
        uses.outstanding = try signatures(under: name) { number, entry in
            OutstandingSignature(id: number, until: entry.until, held: entry.held, owners: entry.names.owners)
        }
        if index.redeemed.mayContain(name) { uses.redeemed = try redemptions(name) }
        return uses
    }

    /// The outstanding signatures that count under a name, the oldest first.
    func signatures<Value>(under name: LimitKey, _ value: (Int64, ReservationEntry) -> Value) throws -> [Value] {
        try index.reservations.numbers(under: name).compactMap { number in
            try signature(number) { $0.counts(under: name) ? value(number, $0) : nil } ?? nil
        }
    }

    /// Reads a signature in place; nil if it is not outstanding.
    func signature<Value>(_ number: Int64, _ value: (ReservationEntry) -> Value) throws -> Value? {
        selection.bind(number, at: 1)
        defer { selection.reset() }
        guard try selection.step() else { return nil }
        return selection.withBytes(0) { ReservationEntry.find(number, in: $0).map(value) }
    }

    private func redemptions(_ name: LimitKey) throws -> [CountedUse] {
        let statement = try database.cachedStatement(
            sql: "SELECT transaction_id, at, refunded FROM offer_use WHERE limit_key = ?")
        return try Row.fetchAll(statement, arguments: [name.hash]).map { row in
            CountedUse(
                transactionID: Array(row[0] as Data), at: Instant(milliseconds: row[1]), isRefunded: row[2] as Int64 != 0)
        }
    }

    /// Finds totals.
    ///
    /// - Parameter keys: its `totals` give, for each total, the number of uses from which on it matters which signatures have
    ///   lapsed and when the next one lapses.
    func totals(_ keys: LedgerKeys) throws -> [LimitKey: LimitTotal] {
        var found: [LimitKey: LimitTotal] = [:]
        for (total, most) in keys.totals {
            var count = try LimitTotals.count(of: total, database)
            while count.counted(withRefunded: true) >= most, try lapseFirst(at: keys.latest!) {
                count = try LimitTotals.count(of: total, database)
            }
            if count.counted(withRefunded: true) >= most { count.firstUntil = try firstUntil(of: total) }
            found[total] = count
        }
        return found
    }

    /// Deletes the oldest row if it has lapsed, and updates the totals.
    private func lapseFirst(at now: Instant) throws -> Bool {
        let first = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT id, until, signatures FROM reservation ORDER BY id LIMIT 1"))
        guard let first, (first[1] as Int64) <= now.milliseconds else { return false }
        try database.cachedStatement(sql: "DELETE FROM reservation WHERE id = ?").execute(arguments: [first[0] as Int64])
        _ = try LimitTotals.subtract(first[2], database)
        return true
    }

    /// When the oldest row with a place in a total lapses.
    private func firstUntil(of total: LimitKey) throws -> Instant? {
        guard let head = index.reservations.head(of: total) else { return nil }
        let rows = try PreparedStatement(
            database, "SELECT id, until, signatures FROM reservation WHERE id >= ? ORDER BY id")
        rows.bind(head, at: 1)
        defer { rows.reset() }
        while try rows.step() {
            guard rows.withBytes(2, { ReservationEntries($0).contains { $0.held.contains(total) } }) else { continue }
            index.reservations.moveHead(of: total, to: rows.number(0))
            return Instant(milliseconds: rows.number(1))
        }
        index.reservations.moveHead(of: total, to: nil)
        return nil
    }
}

/// The table `offer_total`: the total use of each limit.
enum LimitTotals {
    /// The total of a limit.
    static func count(of total: LimitKey, _ database: Database) throws -> LimitTotal {
        let row = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT outstanding, redeemed, refunded FROM offer_total WHERE limit_key = ?"),
            arguments: [total.hash])
        return row.map { LimitTotal(outstanding: $0[0], redeemed: $0[1], refunded: $0[2]) } ?? LimitTotal()
    }

    static func add(_ change: LimitTotal, to total: LimitKey, _ database: Database) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO offer_total (limit_key, outstanding, redeemed, refunded) VALUES (?1, ?2, ?3, ?4)
                ON CONFLICT DO UPDATE SET
                    outstanding = outstanding + ?2, redeemed = redeemed + ?3, refunded = refunded + ?4
                """
        ).execute(arguments: [total.hash, change.outstanding, change.redeemed, change.refunded])
    }

    /// Subtracts the places in a `reservation` row from their totals. Returns the number of signatures.
    static func subtract(_ row: Data, _ database: Database) throws -> Int {
        var (changes, count): ([LimitKey: Int], Int) = ([:], 0)
        row.withUnsafeBytes { bytes in
            for entry in ReservationEntries(bytes) {
                count += 1
                for total in entry.held { changes[total, default: 0] -= 1 }
            }
        }
        for (total, change) in changes { try add(LimitTotal(outstanding: change), to: total, database) }
        return count
    }
}
