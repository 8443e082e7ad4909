import GRDB

/// The migrations of the store's files. Until 0.1.0 is released the base schema is changed in place; released ones never change.
enum SQLiteMigrations {
    /// The migrations of the file of signatures.
    static var signatures: DatabaseMigrator { migrator("signatures", SQLiteTables.signatures) }

    /// The migrations of the file of histories.
    static var histories: DatabaseMigrator { migrator("histories", SQLiteTables.histories) }

    private static func migrator(_ name: String, _ statements: [String]) -> DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration(name) { database in for statement in statements { try database.execute(sql: statement) } }
        return migrator
    }
}
