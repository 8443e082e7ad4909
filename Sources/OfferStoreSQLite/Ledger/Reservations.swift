import EligibilityRules
import FoundationEssentials
import GRDB
import OfferStore

/// What counts for limits, on the writer's connection: prepared statements, made anew for each batch.
///
/// Names go by their hashes: the key that they are made with is the store's, so the table names nobody.
struct Reservations {
    /// The `until` of a redemption.
    static let never = Int64.max

    private let hash: SipHash
    private let select: PreparedStatement
    private let insertion: PreparedStatement
    private let selectTotal: PreparedStatement
    private let addToTotal: PreparedStatement

    init(_ database: Database) throws {
        hash = try Self.hash(database)
        select = try PreparedStatement(
            database, "SELECT until, id, at, refunded, kept FROM offer_use WHERE limit_key = ? AND until > ? ORDER BY until")
        insertion = try PreparedStatement(
            database, "INSERT INTO offer_use (limit_key, until, id, kept) VALUES (?, ?, ?, ?)")
        selectTotal = try PreparedStatement(
            database, "SELECT outstanding, redeemed, refunded FROM offer_total WHERE limit_key = ?")
        addToTotal = try PreparedStatement(
            database,
            """
            INSERT INTO offer_total (limit_key, outstanding, redeemed, refunded) VALUES (?, 1, 0, 0)
            ON CONFLICT DO UPDATE SET outstanding = outstanding + 1
            """)
    }

    /// Makes the names of limits the numbers that they go by.
    static func hash(_ database: Database) throws -> SipHash {
        SipHash(key: Array(try Data.fetchOne(database.cachedStatement(sql: "SELECT key FROM limit_hash"))!))
    }

    /// What keeps them from being taken; empty if nothing does.
    func findings(_ reservations: [Reservation], _ database: Database) throws -> [LimitFinding] {
        var findings: [LimitFinding] = []
        for (index, reservation) in reservations.enumerated() {
            // Those of the same submission that come before it.
            let pending = reservations[..<index].count { $0.limit == reservation.limit }
            switch reservation.rule {
            case .uses(let terms):
                if let finding = try finding(reservation, terms, pending: pending) { findings.append(finding) }
            case .total(let max, let countsRefunded):
                let evidence = try total(reservation, max, countsRefunded, pending: pending, database)
                if let evidence { findings.append(LimitFinding(reservation.limit, .usedUp(evidence))) }
            }
        }
        return findings
    }

    private func finding(_ reservation: Reservation, _ terms: LimitTerms, pending: Int) throws -> LimitFinding? {
        var uses = Array(repeating: LimitUse.outstanding(until: reservation.expiresAt), count: pending)
        // The same one may stand under several names.
        var seen: Set<Data> = []
        for name in reservation.counted {
            select.bind(key(name), at: 1)
            select.bind(reservation.madeAt.milliseconds, at: 2)
            defer { select.reset() }
            while try select.step() {
                guard reservation.counted.count == 1 || seen.insert(select.withBytes(1) { Data($0) }).inserted else { continue }
                let until = Instant(milliseconds: select.number(0))
                if until.milliseconds == Self.never {
                    uses.append(
                        .redeemed(at: Instant(milliseconds: select.number(2)), isRefunded: select.number(3) != 0))
                } else {
                    uses.append(.outstanding(until: until))
                }
                if reservation.isReuse, !select.isNull(4) {
                    let kept = select.withBytes(4) { Array($0) }
                    if reservation.accepts(kept, until: until) {
                        return LimitFinding(reservation.limit, .kept(Array(kept.dropFirst(reservation.keeper!.count))))
                    }
                }
            }
        }
        guard !uses.isEmpty || terms.outstanding == 0 || terms.redeemed == 0 else { return nil }
        return terms.usedUp(by: uses, at: reservation.madeAt).map { LimitFinding(reservation.limit, .usedUp($0)) }
    }

    private func total(
        _ reservation: Reservation,
        _ max: Int,
        _ countsRefunded: Bool,
        pending: Int,
        _ database: Database
    ) throws -> LimitEvidence? {
        let key = key(reservation.counted[0])
        var counted = try count(key, countsRefunded)
        if counted + pending < max { return nil }
        try lapse(key, at: reservation.madeAt, database)
        counted = try count(key, countsRefunded)
        if counted + pending < max { return nil }
        let first = try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT until FROM offer_use WHERE limit_key = ? ORDER BY until LIMIT 1"),
            arguments: [key])
        let frees = counted - max < (try outstanding(key)) ? first : nil
        return LimitEvidence(
            .total, max: max, counted: counted + pending, freesAt: frees.map { Instant(milliseconds: $0) })
    }

    private func count(_ key: Int64, _ countsRefunded: Bool) throws -> Int {
        selectTotal.bind(key, at: 1)
        defer { selectTotal.reset() }
        guard try selectTotal.step() else { return 0 }
        return Int(selectTotal.number(0) + selectTotal.number(1) - (countsRefunded ? 0 : selectTotal.number(2)))
    }

    private func outstanding(_ key: Int64) throws -> Int {
        selectTotal.bind(key, at: 1)
        defer { selectTotal.reset() }
        return try selectTotal.step() ? Int(selectTotal.number(0)) : 0
    }

    /// Gives back what was not redeemed while it was outstanding.
    private func lapse(_ key: Int64, at now: Instant, _ database: Database) throws {
        try database.cachedStatement(sql: "DELETE FROM offer_use WHERE limit_key = ? AND until <= ?")
            .execute(arguments: [key, now.milliseconds])
        let gone = database.changesCount
        guard gone > 0 else { return }
        try database.cachedStatement(sql: "UPDATE offer_total SET outstanding = outstanding - ? WHERE limit_key = ?")
            .execute(arguments: [gone, key])
    }

    /// Takes them.
    func insert(_ reservations: [Reservation]) throws {
        for reservation in reservations {
            for (index, name) in reservation.entered.enumerated() {
                let key = key(name)
                insertion.bind(key, at: 1)
                insertion.bind(reservation.expiresAt.milliseconds, at: 2)
                withUnsafeBytes(of: reservation.nonce.uuid) { insertion.bind($0, at: 3) }
                if index == 0, let keeper = reservation.keeper { insertion.bind(keeper + reservation.kept, at: 4) }
                try insertion.run()
                if case .total = reservation.rule {
                    addToTotal.bind(key, at: 1)
                    try addToTotal.run()
                }
            }
        }
    }

    private func key(_ name: String) -> Int64 { Self.key(name, hash) }

    static func key(_ name: String, _ hash: SipHash) -> Int64 {
        var name = name
        return name.withUTF8 { Int64(bitPattern: hash.hash(UnsafeRawBufferPointer($0))) }
    }
}
