extension PostgreSQLMigrations {
    static let copies = [
        // For a store copied from SQLite: what retention had removed from each table of the audit log, as sealed.
        "CREATE TABLE audit_table (name text PRIMARY KEY, unchained int8 NOT NULL, removed int8 NOT NULL)"
    ]
}
