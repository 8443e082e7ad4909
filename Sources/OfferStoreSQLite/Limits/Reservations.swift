import EligibilityRules
import FoundationEssentials
import GRDB
import OfferStore

/// What counts for limits, on the writer's connection: made anew for each transaction.
struct Reservations {
    let index: LimitIndex
    let database: Database
    private let selection: PreparedStatement
    let insertion: PreparedStatement
    let keys: ReservationKeys
    var totals = LimitTotals()
    /// Not in the table yet.
    let row: ReservationRow
    /// Where the keys of each submission's names begin.
    private(set) var starts: [Int] = []
    /// Of the first signature in the row.
    var nonce = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

    /// - Parameter index: takes in what is new.
    init(_ database: Database, _ index: LimitIndex) throws {
        self.database = database
        self.index = index
        try index.catchUp(database)
        (keys, row) = (index.keys, index.row)
        selection = try PreparedStatement(
            database, "SELECT signatures FROM reservation WHERE id <= ? ORDER BY id DESC LIMIT 1")
        insertion = try PreparedStatement(database, "INSERT INTO reservation (id, until, nonce, signatures) VALUES (?, ?, ?, ?)")
    }

    /// Looks ahead at the submissions of a batch.
    mutating func prepare(_ jobs: [[LedgerSubmission]]) {
        keys.removeAll()
        for submissions in jobs {
            for submission in submissions {
                starts.append(keys.keys.count)
                keys.hash(submission.reservations)
                keys.hash(submission.probes)
            }
        }
        // Some hundred names that are all over a large table: to wait for each by itself would cost more than all the rest of it.
        index.reservations.fetch(keys.keys)
    }

    /// What keeps them from being taken; empty if nothing does.
    ///
    /// - Parameters:
    ///   - reservations: those of a submission, its probes at the end.
    ///   - number: of the submission in its batch.
    ///   - entry: of the signatures that take them; nil for a look alone.
    mutating func findings(_ reservations: [Reservation], of number: Int, for entry: LedgerEntry?) throws -> [LimitFinding] {
        var findings: [LimitFinding] = []
        var first = starts[number]
        for index in reservations.indices {
            // Those of the same submission that come before it.
            let pending = index == 0 ? 0 : reservations[..<index].count { $0.hasLimit(of: reservations[index]) }
            switch reservations[index].rule {
            case .uses(let terms):
                let (uses, earlier) = try uses(of: reservations, at: index, first: first, pending: pending, entry)
                if let finding = finding(reservations, at: index, terms, uses, earlier, pending) { findings.append(finding) }
            case .total(let max, let countsRefunded):
                if let evidence = try evidence(reservations[index], max, countsRefunded, of: keys.keys[first], pending: pending) {
                    findings.append(LimitFinding(reservations[index].limit, .usedUp(evidence), room: pending))
                }
            }
            first += reservations[index].names.count
        }
        return findings
    }

    private func finding(
        _ reservations: [Reservation],
        at position: Int,
        _ terms: LimitTerms,
        _ uses: [LimitUse],
        _ earlier: EarlierSignature?,
        _ pending: Int
    ) -> LimitFinding? {
        guard earlier != nil || !uses.isEmpty || terms.outstanding == 0 || terms.redeemed == 0 else { return nil }
        let reservation = reservations[position]
        if let earlier { return LimitFinding(reservation.limit, .outstanding(earlier)) }
        return terms.usedUp(by: uses, at: reservation.madeAt).map { LimitFinding(reservation.limit, .usedUp($0), room: pending) }
    }

    /// What counts under the names of a reservation, and of it what may come again.
    ///
    /// - Parameter first: where the keys of its names begin.
    private mutating func uses(
        of reservations: [Reservation],
        at position: Int,
        first: Int,
        pending: Int,
        _ entry: LedgerEntry?
    ) throws -> (uses: [LimitUse], earlier: EarlierSignature?) {
        let count = reservations[position].names.count
        // Of most customers nothing is there.
        let isFound = (first..<first + count).contains { index.mayHave(under: keys.keys[$0]) }
        guard pending > 0 || isFound else { return ([], nil) }
        var uses: [LimitUse] = []
        if pending > 0 { uses = Array(repeating: .outstanding(until: reservations[position].expiresAt), count: pending) }
        var earlier: EarlierSignature?
        // The same one may stand under several names.
        var (numbers, transactions): (Set<Int64>, Set<Data>) = ([], [])
        for key in first..<first + count {
            let key = keys.keys[key]
            try index.reservations.forEach(under: key) { number in
                guard count == 1 || numbers.insert(number).inserted else { return }
                guard let found = try outstanding(number, key, reservations[position]) else { return }
                uses.append(.outstanding(until: found.until))
                if earlier == nil, let entry { earlier = try self.earlier(number, found, for: entry) }
            }
            if index.redeemed.mayContain(key) {
                for (transaction, use) in try redemptions(key) where transactions.insert(transaction).inserted {
                    uses.append(use)
                }
            }
        }
        return (uses, earlier)
    }

    private typealias Outstanding = (until: Instant, token: [UInt8])

    /// What a signature that the index names is in the table, and its token if it may come again in place of another.
    private mutating func outstanding(_ number: Int64, _ key: Int64, _ reservation: Reservation) throws -> Outstanding? {
        if number >= row.id { try flush() }
        selection.bind(number, at: 1)
        defer { selection.reset() }
        guard try selection.step() else { return nil }
        return selection.withBytes(0) { bytes -> Outstanding? in
            guard let entry = ReservationEntry.find(number, in: bytes), entry.counts(under: key), entry.until > reservation.madeAt
            else { return nil }
            return (entry.until, reservation.takesEarlier(until: entry.until) ? Array(entry.token) : [])
        }
    }

    /// One that is outstanding and may be given for another entry; whose it is, its request's row tells.
    private func earlier(_ number: Int64, _ found: Outstanding, for entry: LedgerEntry) throws -> EarlierSignature? {
        guard !found.token.isEmpty else { return nil }
        let row = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT * FROM signed_request WHERE id = ?"),
            arguments: [ReservationNumber.request(of: number)])
        guard let row, case let earlier = try LedgerEntry(row: row), earlier.isGood(for: entry) else { return nil }
        return EarlierSignature(
            earlier, nonce: earlier.signatures[ReservationNumber.position(of: number)].nonce, token: found.token)
    }

    private func redemptions(_ key: Int64) throws -> [(transaction: Data, use: LimitUse)] {
        let statement = try database.cachedStatement(
            sql: "SELECT transaction_id, at, refunded FROM offer_use WHERE limit_key = ?")
        return try Row.fetchAll(statement, arguments: [key]).map { row in
            (row[0], .redeemed(at: Instant(milliseconds: row[1]), isRefunded: row[2] as Int64 != 0))
        }
    }

    private mutating func evidence(
        _ reservation: Reservation,
        _ max: Int,
        _ countsRefunded: Bool,
        of key: Int64,
        pending: Int
    ) throws -> LimitEvidence? {
        var count = try totals.count(of: key, database)
        while count.counted(withRefunded: countsRefunded) + pending >= max {
            guard try lapseFirst(at: reservation.madeAt) else { break }
            count = try totals.count(of: key, database)
        }
        let counted = count.counted(withRefunded: countsRefunded)
        if counted + pending < max { return nil }
        let frees = counted - max < count.outstanding ? try firstUntil(of: key) : nil
        return LimitEvidence(.total, max: max, counted: counted + pending, freesAt: frees)
    }

    /// Gives back the oldest row if what is left of it was not redeemed while it was outstanding.
    private mutating func lapseFirst(at now: Instant) throws -> Bool {
        try flush()
        let first = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT id, until, signatures FROM reservation ORDER BY id LIMIT 1"))
        guard let first, (first[1] as Int64) <= now.milliseconds else { return false }
        try database.cachedStatement(sql: "DELETE FROM reservation WHERE id = ?").execute(arguments: [first[0] as Int64])
        try totals.giveBack(first[2], database)
        return true
    }

    /// When the oldest row with a signature that counts for a total lapses.
    private mutating func firstUntil(of total: Int64) throws -> Instant? {
        try flush()
        guard let head = index.reservations.head(of: total) else { return nil }
        let rows = try PreparedStatement(
            database, "SELECT id, until, signatures FROM reservation WHERE id >= ? ORDER BY id")
        rows.bind(head, at: 1)
        defer { rows.reset() }
        while try rows.step() {
            guard rows.withBytes(2, { ReservationEntries($0).contains { $0.totals.all.contains(total) } }) else { continue }
            index.reservations.moveHead(of: total, to: rows.number(0))
            return Instant(milliseconds: rows.number(1))
        }
        index.reservations.moveHead(of: total, to: nil)
        return nil
    }

    /// Writes what is left to write, at the end of the transaction.
    mutating func finish() throws {
        try flush()
        try totals.store(database)
    }
}
