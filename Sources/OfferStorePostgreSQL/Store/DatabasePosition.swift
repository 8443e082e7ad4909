import FoundationEssentials
import OfferStore
import OfferStoreSQL
import Synchronization

/// What this process, and a file of its machine, know of how far the database has come.
///
/// The position is compared whenever a session is opened, because a database can be set back or replaced only while no session is
/// open. After a failover that loses nothing, the comparison succeeds.
final class DatabasePosition: Sendable {
    private static let restores = "restores"
    private static let timeline = "timeline"
    private static let seal = "seal"
    private static let unknown = "unknown"

    private struct State {
        /// The known position; nil if nothing is known yet.
        var position: StorePosition?
        /// Whether any state of the database is accepted, until it is reinstated.
        var acceptsAll: Bool
    }

    private let file: String?
    private let state: Mutex<State>

    /// - Parameters:
    ///   - file: remembers the position from one start to the next; nil for none.
    ///   - acceptsAll: whether the database may be in any state.
    ///   - isNew: whether the database was just made, so that the file is about another database.
    init(file: String?, acceptsAll: Bool, isNew: Bool) throws(StoreError) {
        self.file = file
        var position: StorePosition?
        if let file, !isNew, !acceptsAll, FileManager.default.fileExists(atPath: file) {
            let text = (try? Data(contentsOf: URL(filePath: file))).map { String(decoding: $0, as: UTF8.self) }
            position = text.flatMap { StorePosition(text: $0) }
            guard position != nil || text?.isEmpty ?? false else {
                throw StoreError(.unsuitable, "\(file) (store.positionFile) is not a position that this program has written")
            }
        }
        state = Mutex(State(position: position, acceptsAll: acceptsAll))
    }

    /// Compares the database of a new session with what is known.
    ///
    /// - Parameter isStart: whether the process has just started, so that it may continue after `offersigner store restored`. A
    ///   process that ran before that command knows a secret that is no longer valid.
    func check(_ session: Session, isStart: Bool) throws {
        let (known, acceptsAll) = state.withLock { ($0.position, $0.acceptsAll) }
        guard !acceptsAll, let facts = try DatabaseFacts(session) else { return }
        let isContinued = try known.map { try continues($0, facts, session, isStart: isStart) } ?? false
        state.withLock { state in
            if !isContinued { state.position = StorePosition(store: facts.cluster ?? Self.unknown) }
            state.position?.places[Self.restores] = StorePosition.Place(Int64(facts.restores.count), proof: facts.restores)
            state.position?.places[Self.timeline] = facts.timeline.map { StorePosition.Place($0) }
        }
    }

    /// Returns whether the database has everything that is known.
    ///
    /// Returns false if the database was accepted after a restore that is not known here, so that its position is to be learned
    /// anew. Throws `setBack` if the database lacks something that is known.
    private func continues(
        _ known: StorePosition,
        _ facts: DatabaseFacts,
        _ session: Session,
        isStart: Bool
    ) throws -> Bool {
        guard let restores = known.places[Self.restores]?.proof, restores != facts.restores else {
            try compare(known, facts, session)
            return true
        }
        guard !restores.starts(with: facts.restores) else {
            throw Self.setBack("lacks a restore that is known here; \(Self.remedy)")
        }
        guard isStart else { throw Self.setBack("was set back while this process ran; restart it") }
        return false
    }

    /// Begins anew with the database as it is.
    func adopt(_ session: Session) throws {
        state.withLock { ($0.position, $0.acceptsAll) = (nil, false) }
        try check(session, isStart: true)
        try write()
    }

    /// Notes the last rows that this process has committed.
    func passed(_ chains: AuditChains) {
        state.withLock { state in
            for table in AuditTable.allCases {
                guard let end = chains[table]?.position, end.rows > 0 else { continue }
                state.position?.places[table.rawValue] = StorePosition.Place(end.lastRow, proof: end.link.bytes)
            }
        }
    }

    /// Notes the latest seal, which covers the rows of all processes.
    func update(_ transaction: Transaction) throws {
        let sql = "SELECT number, \(Self.sealDigest) FROM audit_head ORDER BY number DESC LIMIT 1"
        let latest = try transaction.run(sql).first { StorePosition.Place($0.number(0), proof: $0.bytes(1)) }
        transaction.afterCommit { [self] in
            state.withLock { if let latest { $0.position?.places[Self.seal] = latest } }
            // If the file cannot be written, the next look tries again.
            try? write()
        }
    }

    /// Writes the file, if something is new. A command on the same machine writes it, too.
    func write() throws(StoreError) {
        guard let file else { return }
        guard let text = state.withLock({ $0.position?.text }) else { return }
        let (place, data) = (URL(filePath: file), Data(text.utf8))
        guard (try? Data(contentsOf: place)) != data else { return }
        do { try data.write(to: place, options: .atomic) } catch {
            throw StoreError(.unsuitable, "\(file) (store.positionFile) cannot be written: \(error)")
        }
    }

    private static let sealDigest = "sha256(convert_to(note, 'UTF8'))"

    private static let remedy =
        "if it was restored, stop all replicas and run offersigner store restored; otherwise bring the right database back; see docs/backup.md"

    private static func setBack(_ detail: String) -> StoreError { StoreError(.setBack, "the database \(detail)") }

    private func compare(_ position: StorePosition, _ facts: DatabaseFacts, _ session: Session) throws {
        if let cluster = facts.cluster, position.store != Self.unknown, cluster != position.store {
            throw Self.setBack("is not the one that was used here last; \(Self.remedy)")
        }
        if let known = position.places[Self.timeline]?.number, let timeline = facts.timeline, timeline < known {
            throw Self.setBack("is on timeline \(timeline), and was on \(known); \(Self.remedy)")
        }
        for (name, place) in position.places where try !Self.has(name, place, session) {
            throw Self.setBack("is behind what is known here (\(name) \(place.number)); \(Self.remedy)")
        }
    }

    private static func has(_ name: String, _ place: StorePosition.Place, _ session: Session) throws -> Bool {
        let number = SQLValue.number(place.number)
        if name == seal {
            let sql = "SELECT \(sealDigest) FROM audit_head WHERE number = $1"
            return try session.run([SQLStatement(sql, [number])])[0].first { $0.bytes(0) } == place.proof
        }
        guard let table = AuditTable(rawValue: name) else { return true }
        let rows = try session.run([SQLStatement("SELECT link FROM \(table.rawValue) WHERE id = $1", [number])])[0]
        if let link = rows.first({ $0.bytes(0) }) { return link == place.proof }
        guard table != .events else { return false }
        // Retention may have removed the row.
        let sql = """
            SELECT EXISTS (SELECT FROM audit_chain WHERE number = $1 >> \(ChainedRow.placeBits) AND removed_row >= $1) OR EXISTS (
                SELECT FROM chain_range WHERE $1 >> \(ChainedRow.placeBits) >= first
                    AND $1 >> \(ChainedRow.placeBits) < first + chains AND \(ChainRange.isDropped(table)))
            """
        return try session.run([SQLStatement(sql, [number])])[0].first { $0.flag(0) }!
    }
}

/// What distinguishes one database, or one state of it, from another.
private struct DatabaseFacts {
    /// The cluster's identifier, and the database's oid; nil if the server does not say.
    let cluster: String?
    /// Rises when a standby is promoted, and after a recovery to a point in time; nil if the server does not say.
    let timeline: Int64?
    /// A random number for each time that an operator has accepted the database after a restore.
    let restores: [UInt8]

    /// Returns nil for a standby, which may be behind.
    init?(_ session: Session) throws {
        let sql = "SELECT pg_is_in_recovery(), (SELECT value FROM secret WHERE name = 'restores')"
        let (isStandby, restores) = try session.run([SQLStatement(sql)])[0].first {
            ($0.flag(0), $0.isNull(1) ? [] : $0.bytes(1))
        }!
        guard !isStandby else { return nil }
        self.restores = restores
        // Not every service that speaks as PostgreSQL does has these functions.
        func value<Value>(_ sql: String, _ read: (Row) -> Value) -> Value? {
            (try? session.run([SQLStatement(sql)]))?[0].first(read)
        }
        cluster = value(
            """
            SELECT system_identifier || '/' || pg_database.oid FROM pg_control_system(), pg_database
            WHERE datname = current_database()
            """
        ) { $0.text(0) }
        timeline = value("SELECT ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int8") { $0.number(0) }
    }
}

extension SQLStatement {
    /// Records that an operator has accepted the database in an earlier state.
    static func noteRestore(_ id: [UInt8]) -> SQLStatement {
        SQLStatement(
            "INSERT INTO secret VALUES ('restores', $1) ON CONFLICT (name) DO UPDATE SET value = secret.value || excluded.value",
            [.bytes(id)])
    }
}
