import GRDB

extension Database {
    /// Runs a write in a transaction, all or nothing.
    ///
    /// GRDB's own `inTransaction` compiles BEGIN and COMMIT each time, which costs more than writing a signature.
    func inImmediateTransaction<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try PreparedStatement(self, "BEGIN IMMEDIATE").run()
        do {
            let value = try body(self)
            try PreparedStatement(self, "COMMIT").run()
            return value
        } catch {
            // SQLite may have rolled back already. The first error is the one to report.
            if isInsideTransaction { try? PreparedStatement(self, "ROLLBACK").run() }
            throw error
        }
    }
}
