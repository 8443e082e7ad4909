import EligibilityRules
import FoundationEssentials
import GRDB
import OfferStore

/// What counts for limits, on the writer's connection: made anew for each transaction.
///
/// Names go by their hashes: the key that they are made with is the store's, so the tables name nobody.
struct Reservations {
    private let index: LimitIndex
    private let hash: SipHash
    private let database: Database
    private let selection: PreparedStatement
    private let insertion: PreparedStatement
    private var totals = LimitTotals()

    /// - Parameter index: takes in what is new.
    init(_ database: Database, _ index: LimitIndex) throws {
        self.database = database
        self.index = index
        try index.catchUp(database)
        hash = try index.hash(database)
        selection = try PreparedStatement(database, "SELECT until, names, kept FROM reservation WHERE id = ?")
        insertion = try PreparedStatement(
            database, "INSERT INTO reservation (id, until, nonce, names, totals, kept) VALUES (?, ?, ?, ?, ?, ?)")
    }

    /// What keeps them from being taken; empty if nothing does.
    mutating func findings(_ reservations: [Reservation]) throws -> [LimitFinding] {
        var findings: [LimitFinding] = []
        for index in reservations.indices {
            let reservation = reservations[index]
            // Those of the same submission that come before it.
            let pending = index == 0 ? 0 : reservations[..<index].count { $0.limit == reservation.limit }
            switch reservation.rule {
            case .uses(let terms):
                if let finding = try finding(reservation, terms, pending: pending) { findings.append(finding) }
            case .total(let max, let countsRefunded):
                if let evidence = try evidence(reservation, max, countsRefunded, pending: pending) {
                    findings.append(LimitFinding(reservation.limit, .usedUp(evidence)))
                }
            }
        }
        return findings
    }

    private func finding(_ reservation: Reservation, _ terms: LimitTerms, pending: Int) throws -> LimitFinding? {
        var uses: [LimitUse] = []
        if pending > 0 { uses = Array(repeating: .outstanding(until: reservation.expiresAt), count: pending) }
        var kept: [UInt8]?
        // The same one may stand under several names.
        var (rows, transactions): (Set<Int64>, Set<Data>) = ([], [])
        for name in reservation.counted {
            let key = key(name)
            try index.reservations.forEachRow(under: key) { row in
                guard reservation.counted.count == 1 || rows.insert(row).inserted else { return }
                if let use = try use(row, key, reservation, &kept) { uses.append(use) }
            }
            if index.redeemed.mayContain(key) {
                for (transaction, use) in try redemptions(key) where transactions.insert(transaction).inserted {
                    uses.append(use)
                }
            }
        }
        if let kept { return LimitFinding(reservation.limit, .kept(Array(kept.dropFirst(reservation.keeper!.count)))) }
        guard !uses.isEmpty || terms.outstanding == 0 || terms.redeemed == 0 else { return nil }
        return terms.usedUp(by: uses, at: reservation.madeAt).map { LimitFinding(reservation.limit, .usedUp($0)) }
    }

    /// What a row that the index names is in the table.
    private func use(_ row: Int64, _ key: Int64, _ reservation: Reservation, _ kept: inout [UInt8]?) throws -> LimitUse? {
        selection.bind(row, at: 1)
        defer { selection.reset() }
        guard try selection.step(), selection.withBytes(1, { ReservationRow.contains(key, in: $0) }) else { return nil }
        let until = Instant(milliseconds: selection.number(0))
        guard until > reservation.madeAt else { return nil }
        if kept == nil, reservation.isReuse, !selection.isNull(2) {
            let bytes = selection.withBytes(2) { Array($0) }
            if reservation.accepts(bytes, until: until) { kept = bytes }
        }
        return .outstanding(until: until)
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
        pending: Int
    ) throws -> LimitEvidence? {
        let key = key(reservation.counted[0])
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

    /// Gives back the oldest signature if it was not redeemed while it was outstanding.
    private mutating func lapseFirst(at now: Instant) throws -> Bool {
        let first = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT id, until, totals FROM reservation ORDER BY id LIMIT 1"))
        guard let first, (first[1] as Int64) <= now.milliseconds else { return false }
        try database.cachedStatement(sql: "DELETE FROM reservation WHERE id = ?").execute(arguments: [first[0] as Int64])
        for total in ReservationRow.names(first[2] as Data) { try totals.add(-1, to: total, database) }
        return true
    }

    /// When the oldest signature that counts for a total lapses.
    private func firstUntil(of total: Int64) throws -> Instant? {
        guard let head = index.reservations.head(of: total) else { return nil }
        let first = try Row.fetchOne(
            database.cachedStatement(
                sql: "SELECT id, until FROM reservation WHERE id >= ? AND instr(totals, ?) > 0 ORDER BY id LIMIT 1"),
            arguments: [head, ReservationNames([total]).data])
        index.reservations.moveHead(of: total, to: first?[0])
        return first.map { Instant(milliseconds: $0[1]) }
    }

    /// Takes them: a row for each signature.
    ///
    /// - Parameter request: the number of the row that tells of the signatures.
    mutating func insert(_ reservations: [Reservation], request: Int64) throws {
        var start = 0
        var position = 0
        while start < reservations.count {
            let nonce = reservations[start].nonce
            let end = reservations[start...].firstIndex { $0.nonce != nonce } ?? reservations.count
            try insert(reservations[start..<end], ReservationRow.id(request: request, position: position))
            position += 1
            start = end
        }
    }

    private mutating func insert(_ reservations: ArraySlice<Reservation>, _ row: Int64) throws {
        var (names, totals) = (ReservationNames(), ReservationNames())
        for reservation in reservations {
            switch reservation.rule {
            case .uses: names.append(reservation.entered.map(key), staying: reservation.staysWithRedemption)
            case .total:
                let total = key(reservation.counted[0])
                totals.append([total], staying: reservation.staysWithRedemption)
                try self.totals.add(1, to: total, database)
            }
        }
        let reservation = reservations.first!
        insertion.bind(row, at: 1)
        insertion.bind(reservation.expiresAt.milliseconds, at: 2)
        withUnsafeBytes(of: reservation.nonce.uuid) { insertion.bind($0, at: 3) }
        names.withBytes { insertion.bind($0, at: 4) }
        totals.withBytes { insertion.bind($0, at: 5) }
        if let keeping = reservations.first(where: { $0.keeper != nil }) { insertion.bind(keeping.keeper! + keeping.kept, at: 6) }
        try insertion.run()
        index.insert(row, nonce: reservation.nonce, names: names.all, totals: totals.all)
    }

    /// Writes what is left to write, at the end of the transaction.
    mutating func finish() throws { try totals.store(database) }

    private func key(_ name: String) -> Int64 { Self.key(name, hash) }

    /// The number that a name goes by.
    static func key(_ name: String, _ hash: SipHash) -> Int64 {
        var name = name
        return name.withUTF8 { Int64(bitPattern: hash.hash(UnsafeRawBufferPointer($0))) }
    }
}
