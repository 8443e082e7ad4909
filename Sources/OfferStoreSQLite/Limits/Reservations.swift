import EligibilityRules
import FoundationEssentials
import GRDB
import OfferStore

/// What counts for limits, on the writer's connection: made anew for each transaction.
struct Reservations {
    private let index: LimitIndex
    private let database: Database
    private let selection: PreparedStatement
    private let insertion: PreparedStatement
    private var keys: ReservationKeys
    private var totals = LimitTotals()
    /// Not in the table yet.
    private var row: ReservationRow

    /// - Parameter index: takes in what is new.
    init(_ database: Database, _ index: LimitIndex) throws {
        self.database = database
        self.index = index
        try index.catchUp(database)
        (keys, row) = try index.borrow(database)
        selection = try PreparedStatement(
            database, "SELECT signatures FROM reservation WHERE id <= ? ORDER BY id DESC LIMIT 1")
        insertion = try PreparedStatement(database, "INSERT INTO reservation (id, until, nonce, signatures) VALUES (?, ?, ?, ?)")
    }

    /// What keeps them from being taken; empty if nothing does.
    mutating func findings(_ reservations: [Reservation]) throws -> [LimitFinding] {
        keys.hash(reservations)
        var findings: [LimitFinding] = []
        var first = 0
        for index in reservations.indices {
            // Those of the same submission that come before it.
            let pending = index == 0 ? 0 : reservations[..<index].count { $0.hasLimit(of: reservations[index]) }
            switch reservations[index].rule {
            case .uses(let terms):
                let (uses, kept) = try uses(of: reservations, at: index, first: first, pending: pending)
                if let finding = finding(reservations, at: index, terms, uses, kept) { findings.append(finding) }
            case .total(let max, let countsRefunded):
                if let evidence = try evidence(reservations[index], max, countsRefunded, of: keys.keys[first], pending: pending) {
                    findings.append(LimitFinding(reservations[index].limit, .usedUp(evidence)))
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
        _ kept: [UInt8]?
    ) -> LimitFinding? {
        guard kept != nil || !uses.isEmpty || terms.outstanding == 0 || terms.redeemed == 0 else { return nil }
        let reservation = reservations[position]
        if let kept { return LimitFinding(reservation.limit, .kept(Array(kept.dropFirst(reservation.keeperLength)))) }
        return terms.usedUp(by: uses, at: reservation.madeAt).map { LimitFinding(reservation.limit, .usedUp($0)) }
    }

    /// What counts under the names of a reservation, and what is kept with it that may come again.
    ///
    /// - Parameter first: where the keys of its names begin.
    private mutating func uses(
        of reservations: [Reservation],
        at position: Int,
        first: Int,
        pending: Int
    ) throws -> (uses: [LimitUse], kept: [UInt8]?) {
        let count = reservations[position].names.count
        // Of most customers nothing is there.
        guard pending > 0 || (first..<first + count).contains(where: { mayBeUsed(keys.keys[$0]) }) else { return ([], nil) }
        var uses: [LimitUse] = []
        if pending > 0 { uses = Array(repeating: .outstanding(until: reservations[position].expiresAt), count: pending) }
        var kept: [UInt8]?
        // The same one may stand under several names.
        var (numbers, transactions): (Set<Int64>, Set<Data>) = ([], [])
        for key in first..<first + count {
            let key = keys.keys[key]
            try index.reservations.forEach(under: key) { number in
                guard count == 1 || numbers.insert(number).inserted else { return }
                if let use = try use(number, key, reservations[position], &kept) { uses.append(use) }
            }
            if index.redeemed.mayContain(key) {
                for (transaction, use) in try redemptions(key) where transactions.insert(transaction).inserted {
                    uses.append(use)
                }
            }
        }
        return (uses, kept)
    }

    private func mayBeUsed(_ key: Int64) -> Bool {
        index.reservations.mayHave(under: key) || index.redeemed.mayContain(key)
    }

    /// What a signature that the index names is in the table.
    private mutating func use(
        _ number: Int64,
        _ key: Int64,
        _ reservation: Reservation,
        _ kept: inout [UInt8]?
    ) throws -> LimitUse? {
        if number >= row.id { try flush() }
        selection.bind(number, at: 1)
        defer { selection.reset() }
        guard try selection.step() else { return nil }
        return selection.withBytes(0) { bytes -> LimitUse? in
            guard let entry = ReservationEntry.find(number, in: bytes), entry.counts(under: key), entry.until > reservation.madeAt
            else { return nil }
            if kept == nil, reservation.isReuse, !entry.kept.isEmpty {
                let bytes = Array(entry.kept)
                if reservation.accepts(bytes, until: entry.until) { kept = bytes }
            }
            return .outstanding(until: entry.until)
        }
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

    /// Takes those that were just looked at.
    ///
    /// - Parameter request: the number of the row that tells of the signatures.
    mutating func insert(_ reservations: [Reservation], request: Int64) throws {
        var (start, first, position) = (0, 0, 0)
        while start < reservations.count {
            let nonce = reservations[start].nonce
            var end = start + 1
            while end < reservations.count, reservations[end].nonce == nonce { end += 1 }
            try insert(
                reservations[start..<end], ReservationNumber.number(request: request, position: position), first: &first)
            position += 1
            start = end
        }
    }

    /// Takes those of one signature.
    ///
    /// - Parameter first: where the keys of their names begin; is moved to where they end.
    private mutating func insert(_ reservations: ArraySlice<Reservation>, _ number: Int64, first: inout Int) throws {
        let start = reservations.startIndex
        let kept = reservations.firstIndex { !$0.kept.isEmpty }
        // As many as there may be at most, with a mark among the names and one among the totals.
        var length = ReservationEntry.headLength + 16 + (kept.map { reservations[$0].kept.count } ?? 0)
        for index in reservations.indices { length += 8 * reservations[index].names.count }
        if row.isFull(for: length, until: reservations[start].expiresAt) { try flush() }
        row.begin(number, until: reservations[start].expiresAt, nonce: reservations[start].nonce, length: length)
        let hasStaying = reservations.contains(where: \.staysWithRedemption)
        enterNames(of: reservations, staying: false, first: first, number)
        if hasStaying {
            row.append(name: ReservationNames.mark)
            enterNames(of: reservations, staying: true, first: first, number)
        }
        try enterTotals(of: reservations, staying: false, first: first)
        if hasStaying {
            row.append(total: ReservationNames.mark)
            try enterTotals(of: reservations, staying: true, first: first)
        }
        for index in reservations.indices { first += reservations[index].names.count }
        if let kept { row.append(kept: reservations[kept].kept) }
        row.end()
    }

    private mutating func enterNames(
        of reservations: ArraySlice<Reservation>,
        staying: Bool,
        first: Int,
        _ number: Int64
    ) {
        var key = first
        for index in reservations.indices {
            if case .uses = reservations[index].rule, reservations[index].staysWithRedemption == staying {
                enter(reservations[index].names, first: key, number)
            }
            key += reservations[index].names.count
        }
    }

    private mutating func enter(_ names: [LimitName], first: Int, _ number: Int64) {
        for position in names.indices where names[position].isEntered {
            let key = keys.keys[first + position]
            row.append(name: key)
            index.reservations.insert(number, under: key)
        }
    }

    private mutating func enterTotals(of reservations: ArraySlice<Reservation>, staying: Bool, first: Int) throws {
        var key = first
        for index in reservations.indices {
            if case .total = reservations[index].rule, reservations[index].staysWithRedemption == staying {
                try enter(total: keys.keys[key])
            }
            key += reservations[index].names.count
        }
    }

    private mutating func enter(total key: Int64) throws {
        row.append(total: key)
        index.reservations.insert(row: row.id, of: key)
        try totals.add(1, to: key, database)
    }

    /// Writes the row that is filling.
    private mutating func flush() throws {
        guard !row.isEmpty else { return }
        insertion.bind(row.id, at: 1)
        insertion.bind(row.until.milliseconds, at: 2)
        withUnsafeBytes(of: row.nonce.uuid) { insertion.bind($0, at: 3) }
        row.withBytes { insertion.bind($0, at: 4) }
        try insertion.run()
        index.didWrite(row.id, nonce: row.nonce)
        row.removeAll()
    }

    /// Writes what is left to write, at the end of the transaction.
    mutating func finish() throws {
        try flush()
        try totals.store(database)
        index.giveBack(keys, row)
    }
}
