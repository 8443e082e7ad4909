import CLibPQ
import Glibc
import OfferStore
import OfferStoreSQL

/// A session with PostgreSQL. Not thread-safe.
///
/// Uses pipeline mode: a call needs one round trip, however many statements it runs.
final class Session {
    private let connection: OpaquePointer
    /// The server's process id, as in `pg_stat_activity`.
    let processID: Int32
    /// Whether the server may stay silent for as long as a scan of a whole table takes.
    var waitsLong = false
    /// Whether the server limits the time of statements.
    let limitsStatements: Bool
    /// How long the server may stay silent otherwise.
    private let usualPatience: Duration
    /// The names of prepared statements, by SQL text.
    private var names: [String: String] = [:]
    private var prepared = 0
    /// Whether the server has stopped waiting for a standby since this was last set to false.
    var isUnconfirmed = false
    /// The number of round trips.
    private(set) var roundTrips = 0

    /// Connects to the server, and sets the session up.
    ///
    /// - Parameters:
    ///   - address: a connection string or URI of libpq.
    ///   - patience: how long the server may stay silent.
    ///   - isReader: whether the session only reads.
    init(_ address: String, patience: Duration, isReader: Bool = false) throws {
        // All options go into one call, because only this call tries the next host after one has failed. Of an option that occurs
        // twice, the last value counts.
        let options = [("connect_timeout", "5"), ("fallback_application_name", "offersigner"), ("dbname", address)]
        guard let connection = Self.connect(options + Self.keepalives) else {
            throw PostgreSQLFailure(sqlState: nil, message: "libpq has no memory")
        }
        self.connection = connection
        processID = PQbackendPID(connection)
        usualPatience = patience
        limitsStatements = isReader
        guard PQstatus(connection) == CONNECTION_OK else { throw lost }
        PQsetNoticeReceiver(
            connection,
            { session, notice in
                guard let session, Session.isUnconfirmed(notice) else { return }
                Unmanaged<Session>.fromOpaque(session).takeUnretainedValue().isUnconfirmed = true
            }, Unmanaged.passUnretained(self).toOpaque())
        guard PQsetnonblocking(connection, 1) == 0, PQenterPipelineMode(connection) == 1 else { throw lost }
        try SessionSettings(patience: patience, isReader: isReader).apply(to: self)
    }

    /// The options by which an idle session whose server is gone fails at its next use, instead of waiting for an answer.
    private static let keepalives = [
        ("keepalives", "1"), ("keepalives_idle", "5"), ("keepalives_interval", "1"), ("keepalives_count", "5"),
        ("tcp_user_timeout", "10000"),
    ]

    /// Whether a notice says that a commit ended before a standby had confirmed it.
    ///
    /// The notice is recognised by its severity and its place in the server's source, which do not depend on the language. A
    /// warning that names no place counts, too.
    private static func isUnconfirmed(_ notice: OpaquePointer?) -> Bool {
        // `PG_DIAG_SEVERITY_NONLOCALIZED` and `PG_DIAG_SOURCE_FUNCTION`, which Swift does not import.
        let field = { (code: Character) in
            PQresultErrorField(notice, Int32(code.asciiValue!)).map { String(cString: $0) }
        }
        return field("V") == "WARNING" && ["SyncRepWaitForLSN", nil].contains(field("R"))
    }

    deinit { PQfinish(connection) }

    private static func connect(_ options: [(keyword: String, value: String)]) -> OpaquePointer? {
        let keywords = options.map { strdup($0.keyword) }
        let values = options.map { strdup($0.value) }
        defer { for text in keywords + values { free(text) } }
        return PQconnectdbParams(
            keywords.map { UnsafePointer($0) } + [nil], values.map { UnsafePointer($0) } + [nil], 1)
    }

    /// Runs statements in order. Returns the rows of each. After a failure the later statements have not run.
    func run(_ statements: [SQLStatement]) throws(PostgreSQLFailure) -> [Rows] {
        guard !statements.isEmpty else { return [] }
        roundTrips += 1
        var answersPoll: [Bool] = []
        var new: [String] = []
        for statement in statements {
            if names[statement.sql] == nil {
                try prepare(statement)
                new.append(statement.sql)
                answersPoll.append(false)
            }
            try send(statement)
            answersPoll.append(true)
        }
        guard PQpipelineSync(connection) == 1 else { throw lost }
        var rows: [Rows] = []
        var failure: PostgreSQLFailure?
        for answersPoll in answersPoll {
            guard let result = try next() else { throw lost }
            let answer = Rows(result)
            if let error = answer.failure { failure = failure ?? error }
            if answersPoll { rows.append(answer) }
            // A null result ends the results of a statement.
            while let rest = try next() { PQclear(rest) }
        }
        guard let end = try next() else { throw lost }
        defer { PQclear(end) }
        guard PQresultStatus(end) == PGRES_PIPELINE_SYNC else { throw lost }
        if let failure {
            // It is unknown which of the new statements the server has prepared.
            for sql in new { names[sql] = nil }
            throw failure
        }
        #if DEBUG
            for sql in new { ExecutedStatements.note(sql, on: "postgresql") }
        #endif
        return rows
    }

    private func prepare(_ statement: SQLStatement) throws(PostgreSQLFailure) {
        prepared += 1
        let name = "s\(prepared)"
        let types = statement.values.map(\.type)
        guard PQsendPrepare(connection, name, statement.sql, Int32(types.count), types) == 1 else { throw lost }
        names[statement.sql] = name
    }

    private func send(_ statement: SQLStatement) throws(PostgreSQLFailure) {
        var bytes: [UInt8] = []
        var places: [Range<Int>?] = []
        for value in statement.values {
            let start = bytes.count
            places.append(value.encode(into: &bytes) ? start..<bytes.count : nil)
            // An empty value at the end needs an address, too.
            bytes.append(0)
        }
        let isSent = bytes.withUnsafeBytes { bytes in
            let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            let values = places.map { place in place.flatMap { place in start.map { $0 + place.lowerBound } } }
            return PQsendQueryPrepared(
                connection, names[statement.sql]!, Int32(values.count), values, places.map { Int32($0?.count ?? 0) },
                places.map { _ in 1 }, 1)
        }
        guard isSent == 1 else { throw lost }
    }

    /// The next result; nil at the end of a statement's results.
    private func next() throws(PostgreSQLFailure) -> OpaquePointer? {
        while true {
            let unsent = PQflush(connection)
            guard unsent >= 0 else { throw lost }
            guard PQisBusy(connection) == 1 else { return PQgetResult(connection) }
            // The server stops reading while its results are not read.
            try wait(for: unsent == 1 ? POLLIN | POLLOUT : POLLIN)
            guard PQconsumeInput(connection) == 1 else { throw lost }
        }
    }

    private func wait(for events: Int32) throws(PostgreSQLFailure) {
        var socket = pollfd(fd: PQsocket(connection), events: Int16(events), revents: 0)
        let patience = waitsLong ? .seconds(600) : usualPatience
        let end = ContinuousClock.now + patience
        while true {
            let rest = max(0, (end - .now) / .milliseconds(1))
            let ready = poll(&socket, 1, Int32(rest.rounded(.up)))
            if ready > 0 { return }
            guard ready == 0 || errno != EINTR else { continue }
            throw PostgreSQLFailure(sqlState: nil, message: "no answer in \(patience)")
        }
    }

    private var lost: PostgreSQLFailure {
        let message = String(cString: PQerrorMessage(connection))
        return PostgreSQLFailure(
            sqlState: nil, message: message.split(separator: "\n").first.map(String.init) ?? "connection lost")
    }
}
