/// What PostgreSQL or the way to it answered instead of rows.
struct PostgreSQLFailure: Error {
    /// Five characters; nil where the connection failed. See https://www.postgresql.org/docs/15/errcodes-appendix.html.
    let sqlState: String?
    /// The primary message, which names no stored value.
    let message: String

    /// Whether the session is of no more use: it is cut off, its server is going, or is a standby, which has no serializable transactions.
    var isOfConnection: Bool {
        sqlState.map { $0.hasPrefix("57P") || $0.hasPrefix("08") || $0 == "25006" || $0 == "0A000" } ?? true
    }

    /// Whether the same transaction, begun anew, may succeed: another one was in its way, also in making the first table.
    var isOfConcurrency: Bool { ["40001", "40P01", "23505", "42710", "42P07"].contains(sqlState) }
}
