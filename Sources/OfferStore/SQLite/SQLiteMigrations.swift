import GRDB

/// The numbered steps that bring an SQLite store up to date. Steps that have been released are never changed.
enum SQLiteMigrations {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 ledger, idempotency, access, secrets") { database in
            try database.execute(
                sql: """
                    CREATE TABLE ledger (
                        nonce BLOB NOT NULL PRIMARY KEY,
                        signed_at INTEGER NOT NULL,
                        bundle_id TEXT NOT NULL,
                        key_id TEXT NOT NULL,
                        product_id TEXT NOT NULL,
                        offer_id TEXT NOT NULL,
                        form TEXT NOT NULL,
                        caller TEXT NOT NULL,
                        customer_id TEXT,
                        application_username TEXT,
                        transaction_id TEXT,
                        request_id TEXT NOT NULL,
                        digest BLOB NOT NULL
                    ) STRICT;
                    CREATE TABLE idempotency (
                        caller TEXT NOT NULL,
                        key TEXT NOT NULL,
                        request_digest BLOB NOT NULL,
                        answer BLOB NOT NULL,
                        created_at INTEGER NOT NULL,
                        PRIMARY KEY (caller, key)
                    ) STRICT, WITHOUT ROWID;
                    CREATE INDEX idempotency_by_age ON idempotency (created_at);
                    CREATE TABLE access (
                        id TEXT NOT NULL PRIMARY KEY,
                        secret_digest BLOB NOT NULL,
                        role TEXT NOT NULL,
                        apps TEXT,
                        note TEXT NOT NULL,
                        created_at INTEGER NOT NULL,
                        expires_at INTEGER,
                        revoked_at INTEGER
                    ) STRICT;
                    CREATE TABLE access_revision (revision INTEGER NOT NULL) STRICT;
                    INSERT INTO access_revision VALUES (0);
                    CREATE TRIGGER access_added AFTER INSERT ON access
                        BEGIN UPDATE access_revision SET revision = revision + 1; END;
                    CREATE TRIGGER access_changed AFTER UPDATE ON access
                        BEGIN UPDATE access_revision SET revision = revision + 1; END;
                    CREATE TABLE secret (name TEXT NOT NULL PRIMARY KEY, value BLOB NOT NULL) STRICT;
                    """
            )
        }
        return migrator
    }
}
