package import OfferStoreSQL

extension SQLDialect {
    /// The words of SQLite.
    package static let sqlite = SQLDialect(
        types: (text: "TEXT", number: "INTEGER", bytes: "BLOB", flag: "INTEGER"),
        ownNumbers: (any: "INTEGER PRIMARY KEY", lasting: "INTEGER PRIMARY KEY AUTOINCREMENT"),
        endings: (plain: " STRICT", ordered: " STRICT, WITHOUT ROWID"),
        functions: (randomBytes: "randomblob(16)", now: "CAST(unixepoch('subsec') * 1000 AS INTEGER)"),
        writers: (areOne: true, locking: "", skippingLocked: ""),
        isAny: { "IN (SELECT value FROM json_each(\($0)))" },
        raisingRevision: { topic, changes, table in
            changes.map { change in
                """
                CREATE TRIGGER \(table)_after_\(change.rawValue) AFTER \(change.rawValue.uppercased()) ON \(table)
                    BEGIN UPDATE revision SET number = number + 1 WHERE topic = '\(topic)'; END
                """
            }
        },
        refusingUpdates: { table, message in
            "CREATE TRIGGER \(table)_kept BEFORE UPDATE ON \(table) BEGIN SELECT RAISE(ABORT, '\(message)'); END"
        }
    )
}
