import OfferStore
import OfferStoreSQL

/// What every session is set to, whatever the server, the database, the role, `PGOPTIONS` or the connection string say.
///
/// All settings that a promise of the service rests on are here. A session sets them when it connects, and reads them back.
struct SessionSettings {
    /// How long a session of a silent process may hold locks: it is ended if it is idle in a transaction for this long, in ms.
    #if THREAD_SANITIZER
        // Under the thread sanitizer everything takes many times as long.
        static let maxIdle = 60_000
    #else
        static let maxIdle = 5000
    #endif

    /// The settings without which a session is not used.
    private let required: [(name: String, value: String)]

    /// - Parameters:
    ///   - patience: how long the server may stay silent. The server gives a statement up before that.
    ///   - isReader: whether the session only reads. A reader holds nothing that a writer waits for, so it may be idle while rows
    ///     are computed. Its statements have a time limit. A writer's statements have none, because a commit must not be
    ///     cancelled.
    init(patience: Duration, isReader: Bool) {
        let patience = Int(patience / .milliseconds(1))
        required = [
            ("idle_in_transaction_session_timeout", "\(isReader ? 600_000 : Self.maxIdle)"),
            ("lock_timeout", "\(patience * 8 / 10)"),
            ("statement_timeout", "\(isReader ? patience * 9 / 10 : 0)"),
            // If a commit ends before a standby has confirmed it, the server says so in a warning.
            ("client_min_messages", "warning"),
            ("client_encoding", "UTF8"),
            ("standard_conforming_strings", "on"),
            ("DateStyle", "ISO, YMD"),
            ("TimeZone", "UTC"),
            // With this setting, a policy that would hide rows makes statements fail instead.
            ("row_security", "off"),
        ]
    }

    /// Settings that shorten the time until the server notices that a machine is gone.
    ///
    /// No promise rests on them, and not every system has them.
    private static let useful = [
        ("client_connection_check_interval", "1000"), ("tcp_keepalives_idle", "5"), ("tcp_keepalives_interval", "1"),
        ("tcp_keepalives_count", "5"), ("tcp_user_timeout", "10000"),
    ]

    /// Settings that only the owner of the server or the database can change: name, wanted value, and what to do about another
    /// value.
    private static let facts = [
        ("server_encoding", "UTF8", "create the database with the encoding UTF8"),
        ("session_replication_role", "origin", "no trigger would run; reset it for the role and the database"),
    ]

    /// Sets up a session that has just connected. Throws `unsuitable` if a setting is not in force.
    func apply(to session: Session) throws {
        // The statement names each function with its schema, because the search path is still unknown. Only the first schema of
        // the path is kept.
        let path = "pg_catalog.concat(pg_catalog.quote_ident(pg_catalog.current_schema()), ', pg_temp')"
        let commit = "pg_catalog.current_setting('synchronous_commit')"
        let rows = try session.run([
            SQLStatement(Self.set, Self.values(required)),
            SQLStatement(
                """
                SELECT pg_catalog.set_config('search_path', \(path), false) WHERE pg_catalog.current_schema() IS NOT NULL
                """),
            // A commit is answered once it is durable on this server and, if the server has to wait for standbys, on those, too.
            SQLStatement(
                """
                SELECT pg_catalog.set_config(
                    'synchronous_commit', CASE \(commit) WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END, false)
                """),
            SQLStatement("SELECT name, setting FROM pg_catalog.pg_settings"),
        ])
        try check(Dictionary(uniqueKeysWithValues: rows.last!.map { ($0.text(0), $0.text(1)) }))
        // Each of these settings is made by itself, because a system may refuse one of them.
        for setting in Self.useful {
            do throws(PostgreSQLFailure) { _ = try session.run([SQLStatement(Self.set, Self.values([setting]))]) } catch {
                if error.isOfConnection { throw error }
            }
        }
    }

    /// - Parameter found: the settings that are in force, by name.
    func check(_ found: [String: String]) throws(StoreError) {
        for (name, value) in required where found[name] != value {
            throw StoreError(.unsuitable, "the database does not let a session set \(name) to \(value)")
        }
        guard let commit = found["synchronous_commit"], ["on", "remote_apply"].contains(commit) else {
            throw StoreError(.unsuitable, "the database does not let a session set synchronous_commit to on")
        }
        for (name, value, remedy) in Self.facts where found[name] != value {
            throw StoreError(.unsuitable, "the database's \(name) is \(found[name] ?? "not there"), not \(value): \(remedy)")
        }
    }

    private static let set = """
        SELECT pg_catalog.set_config(name, value, false)
        FROM ROWS FROM (pg_catalog.unnest($1), pg_catalog.unnest($2)) AS wanted (name, value)
        """

    private static func values(_ settings: [(name: String, value: String)]) -> [SQLValue] {
        [.texts(settings.map(\.name)), .texts(settings.map(\.value))]
    }
}
