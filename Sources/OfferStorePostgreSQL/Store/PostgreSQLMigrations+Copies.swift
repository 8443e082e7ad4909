extension PostgreSQLMigrations {
    static let copies = [
        // Of a store that was copied from SQLite: what retention had taken of each table of the audit log, as seals say it.
        "CREATE TABLE audit_table (name text PRIMARY KEY, unchained int8 NOT NULL, removed int8 NOT NULL)"
    ]
}
