import EligibilityRules
import FoundationEssentials
import GRDB
import OfferStore

/// What counts for limits, on the writer's connection: made anew for each transaction, which finds first and writes then.
struct Reservations {
    private let database: Database
    private let index: LimitIndex
    private let selection: PreparedStatement
    private let insertion: PreparedStatement
    /// Not in the table yet.
    private let row: ReservationRow
    /// Of the first signature in the row.
    private var nonce = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

    /// - Parameter index: takes in what is new.
    init(_ database: Database, _ index: LimitIndex) throws {
        self.database = database
        self.index = index
        try index.catchUp(database)
        row = index.row
        selection = try PreparedStatement(
            database, "SELECT signatures FROM reservation WHERE id <= ? ORDER BY id DESC LIMIT 1")
        insertion = try PreparedStatement(database, "INSERT INTO reservation (id, until, nonce, signatures) VALUES (?, ?, ?, ?)")
    }

    /// What counts under names.
    func uses(under names: [LedgerKeys.Name]) throws -> [LimitKey: LimitUses] {
        var (found, isWhole): ([LimitKey: LimitUses], [LimitKey: Bool]) = ([:], [:])
        // Of most customers nothing is there.
        for name in names where index.mayHave(under: name.key) {
            if let isWhole = isWhole[name.key], isWhole || !name.isReuse { continue }
            isWhole[name.key] = name.isReuse
            var uses = LimitUses()
            try index.reservations.forEach(under: name.key) { number in
                if let signature = try outstanding(number, name) { uses.outstanding.append(signature) }
            }
            if index.redeemed.mayContain(name.key) { uses.redeemed = try redemptions(name.key) }
            found[name.key] = uses
        }
        return found
    }

    /// What a signature that the index names is in the table.
    private func outstanding(_ number: Int64, _ name: LedgerKeys.Name) throws -> OutstandingSignature? {
        selection.bind(number, at: 1)
        defer { selection.reset() }
        guard try selection.step() else { return nil }
        return try selection.withBytes(0) { bytes -> OutstandingSignature? in
            guard let entry = ReservationEntry.find(number, in: bytes), entry.counts(under: name.key) else { return nil }
            let kept = name.isReuse && !entry.token.isEmpty ? try kept(number, Array(entry.token)) : nil
            return OutstandingSignature(id: number, until: entry.until, kept: kept)
        }
    }

    /// Whose a signature is its request's row tells.
    private func kept(_ number: Int64, _ token: [UInt8]) throws -> OutstandingSignature.Kept? {
        let row = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT * FROM signed_request WHERE id = ?"),
            arguments: [ReservationNumber.request(of: number)])
        return try row.map { row in
            let entry = try LedgerEntry(row: row)
            let nonce = entry.signatures[ReservationNumber.position(of: number)].nonce
            return OutstandingSignature.Kept(entry, nonce: nonce, token: token)
        }
    }

    private func redemptions(_ name: LimitKey) throws -> [CountedUse] {
        let statement = try database.cachedStatement(
            sql: "SELECT transaction_id, at, refunded FROM offer_use WHERE limit_key = ?")
        return try Row.fetchAll(statement, arguments: [name.hash]).map { row in
            CountedUse(
                transactionID: Array(row[0] as Data), at: Instant(milliseconds: row[1]), isRefunded: row[2] as Int64 != 0)
        }
    }

    /// How many there are of totals.
    ///
    /// - Parameter keys: tell when it matters what has lapsed, and when the next will.
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

    /// Gives back the oldest row if it has lapsed.
    private func lapseFirst(at now: Instant) throws -> Bool {
        let first = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT id, until, signatures FROM reservation ORDER BY id LIMIT 1"))
        guard let first, (first[1] as Int64) <= now.milliseconds else { return false }
        try database.cachedStatement(sql: "DELETE FROM reservation WHERE id = ?").execute(arguments: [first[0] as Int64])
        _ = try LimitTotals.giveBack(first[2], database)
        return true
    }

    /// When the oldest row with a signature that counts for a total lapses.
    private func firstUntil(of total: LimitKey) throws -> Instant? {
        guard let head = index.reservations.head(of: total) else { return nil }
        let rows = try PreparedStatement(
            database, "SELECT id, until, signatures FROM reservation WHERE id >= ? ORDER BY id")
        rows.bind(head, at: 1)
        defer { rows.reset() }
        while try rows.step() {
            guard rows.withBytes(2, { ReservationEntries($0).contains { $0.totals.keys.contains(total) } }) else { continue }
            index.reservations.moveHead(of: total, to: rows.number(0))
            return Instant(milliseconds: rows.number(1))
        }
        index.reservations.moveHead(of: total, to: nil)
        return nil
    }

    /// Takes reservations for an entry.
    ///
    /// - Parameters:
    ///   - names: those of the reservations, in their order.
    ///   - request: the number of the entry's row.
    mutating func insert(
        _ reservations: [Reservation],
        _ names: ArraySlice<LedgerKeys.Name>,
        for entry: LedgerEntry,
        request: Int64
    ) throws {
        var (start, first) = (0, names.startIndex)
        while start < reservations.count {
            let nonce = reservations[start].nonce
            let end = reservations[start...].firstIndex { $0.nonce != nonce } ?? reservations.count
            guard let position = entry.signatures.firstIndex(where: { $0.nonce == nonce }) else {
                preconditionFailure("what is reserved is reserved for a signature of the entry")
            }
            let last = reservations[start..<end].reduce(first) { $0 + $1.names.count }
            try insert(
                reservations[start..<end], names[first..<last], ReservationNumber.number(request: request, position: position))
            (start, first) = (end, last)
        }
    }

    /// Takes those of one signature.
    private mutating func insert(
        _ reservations: ArraySlice<Reservation>,
        _ names: ArraySlice<LedgerKeys.Name>,
        _ number: Int64
    ) throws {
        let first = reservations.first!
        let token = reservations.first { !$0.token.isEmpty }?.token ?? []
        // As many as there may be at most, with a mark among the names and one among the totals.
        let length = ReservationEntry.headLength + 16 + 8 * names.count + token.count
        if row.isFull(for: length, until: first.expiresAt) { try finish() }
        row.begin(number, until: first.expiresAt, length: length)
        if row.id == number { nonce = first.nonce }
        let hasStaying = reservations.contains { $0.staysWithRedemption }
        forEachEntered(reservations, names, ofTotals: false, staying: false) { enter($0, number) }
        if hasStaying {
            row.append(name: LimitNames.mark)
            forEachEntered(reservations, names, ofTotals: false, staying: true) { enter($0, number) }
        }
        forEachEntered(reservations, names, ofTotals: true, staying: false, enter(total:))
        if hasStaying {
            row.append(total: LimitNames.mark)
            forEachEntered(reservations, names, ofTotals: true, staying: true, enter(total:))
        }
        row.append(token: token)
        row.end()
    }

    private func forEachEntered(
        _ reservations: ArraySlice<Reservation>,
        _ names: ArraySlice<LedgerKeys.Name>,
        ofTotals: Bool,
        staying: Bool,
        _ body: (LimitKey) -> Void
    ) {
        var first = names.startIndex
        for index in reservations.indices {
            let isTotal = if case .total = reservations[index].rule { true } else { false }
            if isTotal == ofTotals, reservations[index].staysWithRedemption == staying {
                for position in reservations[index].names.indices where reservations[index].names[position].isEntered {
                    body(names[first + position].key)
                }
            }
            first += reservations[index].names.count
        }
    }

    private func enter(_ name: LimitKey, _ number: Int64) {
        row.append(name: name)
        index.reservations.insert(number, under: name)
    }

    private func enter(total: LimitKey) {
        row.append(total: total)
        index.reservations.insert(row: row.id, of: total)
    }

    /// Writes the row that is filling, at the end of the transaction too.
    mutating func finish() throws {
        guard !row.isEmpty else { return }
        insertion.bind(row.id, at: 1)
        insertion.bind(row.until.milliseconds, at: 2)
        withUnsafeBytes(of: nonce.uuid) { insertion.bind($0, at: 3) }
        try row.withBytes { bytes in
            insertion.bind(inPlace: bytes, at: 4)
            try insertion.run()
        }
        index.didWrite(row.id, nonce: nonce)
        row.removeAll()
    }
}
