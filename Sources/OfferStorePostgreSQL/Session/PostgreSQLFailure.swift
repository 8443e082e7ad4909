/// An error of PostgreSQL or of the connection to it.
struct PostgreSQLFailure: Error {
    /// The five characters of the SQLSTATE; nil if the connection failed.
    ///
    /// See https://www.postgresql.org/docs/15/errcodes-appendix.html.
    let sqlState: String?
    /// The primary message, which contains no stored value.
    let message: String

    /// Whether the session is unusable: it is cut off, was idle in a transaction for too long, its server shuts down or is a
    /// standby.
    ///
    /// A standby has no serializable transactions.
    var isOfConnection: Bool {
        sqlState.map { $0.hasPrefix("57P") || $0.hasPrefix("08") || ["25P03", "25P04", "25006", "0A000"].contains($0) } ?? true
    }

    /// Whether a statement has waited for a lock as long as it may.
    var isOfLock: Bool { sqlState == "55P03" }

    /// Whether the role lacks a right.
    var isOfPrivilege: Bool { sqlState == "42501" }

    /// Whether a function does not exist.
    var isOfMissingFunction: Bool { sqlState == "42883" }

    /// Whether a retry may succeed because another transaction conflicted, also while creating the first table.
    var isOfConcurrency: Bool { ["40001", "40P01", "23505", "42710", "42P07"].contains(sqlState) }
}
