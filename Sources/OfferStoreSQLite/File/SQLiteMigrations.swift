import GRDB

/// The numbered migrations of the store's files. Released migrations never change.
enum SQLiteMigrations {
    /// The migrations of the file of signatures.
    static var signatures: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 signed requests, series of nonces, idempotency, access, secrets, probe") { database in
            try database.execute(
                sql: """
                    -- One row a request; `offers` is JSON, [["product","offer"],...], with as many nonces and digests beside it. A
                    -- third in a pair is a transaction id of its own.
                    CREATE TABLE signed_request (
                        id INTEGER PRIMARY KEY,
                        signed_at INTEGER NOT NULL,
                        bundle_id TEXT NOT NULL,
                        key_id TEXT NOT NULL,
                        form TEXT NOT NULL,
                        caller TEXT NOT NULL,
                        customer_id TEXT,
                        application_username TEXT,
                        transaction_id TEXT,
                        request_id TEXT NOT NULL,
                        nonces BLOB NOT NULL,
                        digests BLOB NOT NULL,
                        offers TEXT NOT NULL
                    ) STRICT;
                    -- What keeps a nonce from being used twice: the first eight bytes of the nonces of one request.
                    CREATE TABLE nonce_series (series BLOB NOT NULL PRIMARY KEY, signed_request INTEGER NOT NULL)
                        STRICT, WITHOUT ROWID;
                    -- One row a signature, for reading.
                    CREATE VIEW ledger AS
                        SELECT substr(nonces, 16 * offer.key + 1, 16) AS nonce, signed_at, bundle_id, key_id,
                            offer.value ->> 0 AS product_id, offer.value ->> 1 AS offer_id, form, caller, customer_id,
                            application_username, coalesce(offer.value ->> 2, transaction_id) AS transaction_id, request_id,
                            substr(digests, 32 * offer.key + 1, 32) AS digest, signed_request.id AS signed_request
                        FROM signed_request, json_each(signed_request.offers) AS offer;
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
                    CREATE TRIGGER access_removed AFTER DELETE ON access
                        BEGIN UPDATE access_revision SET revision = revision + 1; END;
                    CREATE TABLE secret (name TEXT NOT NULL PRIMARY KEY, value BLOB NOT NULL) STRICT;
                    -- What a write that is only to show that writing works changes.
                    CREATE TABLE write_probe (count INTEGER NOT NULL) STRICT;
                    INSERT INTO write_probe VALUES (0);
                    """
            )
        }
        migrator.registerMigration("2 clock and time served") { database in
            try database.execute(
                sql: """
                    -- Milliseconds that services have served, and what is known of the clock. Up to `repaired_row` the times of
                    -- signatures do not count, because a wrong clock made them.
                    CREATE TABLE clock (
                        served INTEGER NOT NULL,
                        seen_at INTEGER,
                        accepted_at INTEGER,
                        repaired_at INTEGER,
                        repaired_row INTEGER NOT NULL
                    ) STRICT;
                    INSERT INTO clock VALUES (0, NULL, NULL, NULL, 0);
                    -- How far the ledger had come when so much was served; one an hour.
                    CREATE TABLE serving_mark (
                        served INTEGER PRIMARY KEY,
                        reached_at INTEGER NOT NULL,
                        signed_request INTEGER NOT NULL
                    ) STRICT;
                    """
            )
        }
        migrator.registerMigration("3 refusals, reservations, revisions") { database in
            try database.execute(
                sql: """
                    -- One row a request; `offers` is JSON, [["product","offer","reason"],...], with the transaction that decided as
                    -- a fourth where one did.
                    CREATE TABLE refused_request (
                        id INTEGER PRIMARY KEY,
                        refused_at INTEGER NOT NULL,
                        bundle_id TEXT NOT NULL,
                        caller TEXT NOT NULL,
                        customer_id TEXT,
                        application_username TEXT,
                        transaction_id TEXT,
                        request_id TEXT NOT NULL,
                        offers TEXT NOT NULL
                    ) STRICT;
                    CREATE INDEX refused_request_by_customer ON refused_request (customer_id, bundle_id)
                        WHERE customer_id IS NOT NULL;
                    -- What of a limit is taken, and until when.
                    CREATE TABLE reservation (
                        id INTEGER PRIMARY KEY,
                        limit_name TEXT NOT NULL,
                        expires_at INTEGER NOT NULL
                    ) STRICT;
                    CREATE INDEX reservation_by_limit ON reservation (limit_name, expires_at);
                    -- How often each of the things was changed that processes keep in memory.
                    CREATE TABLE revision (topic TEXT NOT NULL PRIMARY KEY, number INTEGER NOT NULL) STRICT;
                    INSERT INTO revision SELECT 'access', revision FROM access_revision;
                    INSERT INTO revision VALUES ('keys', 0);
                    DROP TRIGGER access_added;
                    DROP TRIGGER access_changed;
                    DROP TRIGGER access_removed;
                    DROP TABLE access_revision;
                    CREATE TRIGGER access_added AFTER INSERT ON access
                        BEGIN UPDATE revision SET number = number + 1 WHERE topic = 'access'; END;
                    CREATE TRIGGER access_changed AFTER UPDATE ON access
                        BEGIN UPDATE revision SET number = number + 1 WHERE topic = 'access'; END;
                    CREATE TRIGGER access_removed AFTER DELETE ON access
                        BEGIN UPDATE revision SET number = number + 1 WHERE topic = 'access'; END;
                    """
            )
        }
        migrator.registerMigration("4 decisions about signing keys") { database in
            try database.execute(
                sql: """
                    -- Only ever added to: of a key's rows in an app the latest counts.
                    CREATE TABLE key_decision (
                        id INTEGER PRIMARY KEY,
                        key_id TEXT NOT NULL,
                        bundle_id TEXT NOT NULL,
                        state TEXT NOT NULL,
                        decided_at INTEGER NOT NULL,
                        decided_by TEXT NOT NULL,
                        reason TEXT NOT NULL
                    ) STRICT;
                    CREATE TRIGGER key_decided AFTER INSERT ON key_decision
                        BEGIN UPDATE revision SET number = number + 1 WHERE topic = 'keys'; END;
                    """
            )
        }
        migrator.registerMigration("5 use of access keys, sessions, proposals about signing keys") { database in
            try database.execute(
                sql: """
                    ALTER TABLE access ADD COLUMN created_by TEXT;
                    ALTER TABLE access ADD COLUMN time_zone TEXT;
                    -- Apart from the keys: their use is no change that processes reload them for.
                    CREATE TABLE access_use (id TEXT NOT NULL PRIMARY KEY, used_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
                    CREATE TABLE console_session (
                        digest BLOB NOT NULL PRIMARY KEY,
                        kind TEXT NOT NULL,
                        access_id TEXT NOT NULL,
                        created_at INTEGER NOT NULL,
                        used_at INTEGER NOT NULL,
                        address TEXT NOT NULL,
                        user_agent TEXT NOT NULL
                    ) STRICT, WITHOUT ROWID;
                    -- What a second person has to agree to; `bundle_ids` are lines.
                    CREATE TABLE key_proposal (
                        id TEXT NOT NULL PRIMARY KEY,
                        wish TEXT NOT NULL,
                        key_id TEXT NOT NULL,
                        bundle_ids TEXT NOT NULL,
                        proposed_at INTEGER NOT NULL,
                        proposed_by TEXT NOT NULL,
                        reason TEXT NOT NULL
                    ) STRICT;
                    """
            )
        }
        migrator.registerMigration("6 audit log") { database in
            try database.execute(
                sql: """
                    -- Rows from before have no chain. `personal_digest` stands for what is personal once that is erased.
                    ALTER TABLE signed_request ADD COLUMN chain INTEGER;
                    ALTER TABLE signed_request ADD COLUMN link BLOB;
                    ALTER TABLE signed_request ADD COLUMN personal_digest BLOB;
                    ALTER TABLE refused_request ADD COLUMN chain INTEGER;
                    ALTER TABLE refused_request ADD COLUMN link BLOB;
                    ALTER TABLE refused_request ADD COLUMN personal_digest BLOB;
                    -- Only ever added to.
                    CREATE TABLE audit_event (
                        id INTEGER PRIMARY KEY,
                        at INTEGER NOT NULL,
                        actor TEXT NOT NULL,
                        action TEXT NOT NULL,
                        bundle_id TEXT,
                        subject TEXT,
                        before TEXT,
                        after TEXT,
                        reason TEXT,
                        request_id TEXT,
                        customer_id TEXT,
                        transaction_id TEXT,
                        address TEXT,
                        chain INTEGER NOT NULL,
                        link BLOB NOT NULL,
                        personal_digest BLOB
                    ) STRICT;
                    -- One a process and table. What retention took of it: how many rows, the last of them and its link.
                    CREATE TABLE audit_chain (
                        number INTEGER PRIMARY KEY,
                        id BLOB NOT NULL UNIQUE,
                        writer BLOB NOT NULL,
                        table_name TEXT NOT NULL,
                        opened_at INTEGER NOT NULL,
                        removed_rows INTEGER NOT NULL DEFAULT 0,
                        removed_row INTEGER,
                        removed_link BLOB
                    ) STRICT;
                    -- The last row that has no chain, and the last that retention took.
                    CREATE TABLE audit_table (
                        name TEXT NOT NULL PRIMARY KEY,
                        unchained INTEGER NOT NULL,
                        removed INTEGER NOT NULL
                    ) STRICT;
                    INSERT INTO audit_table SELECT 'signed_request', coalesce(max(id), 0), 0 FROM signed_request;
                    INSERT INTO audit_table SELECT 'refused_request', coalesce(max(id), 0), 0 FROM refused_request;
                    INSERT INTO audit_table VALUES ('audit_event', 0, 0);
                    -- Seals, each a signed note.
                    CREATE TABLE audit_head (
                        number INTEGER PRIMARY KEY,
                        writer BLOB NOT NULL,
                        sealed_at INTEGER NOT NULL,
                        note TEXT NOT NULL
                    ) STRICT;
                    """
            )
        }
        migrator.registerMigration("7 addresses of signatures and refusals") { database in
            try database.execute(
                sql: """
                    ALTER TABLE signed_request ADD COLUMN address TEXT;
                    ALTER TABLE refused_request ADD COLUMN address TEXT;
                    """
            )
        }
        migrator.registerMigration("8 sessions by a sign-in proxy") { database in
            try database.execute(
                sql: """
                    -- The name under which the proxy has let somebody in.
                    ALTER TABLE console_session ADD COLUMN proxy_name TEXT;
                    """
            )
        }
        migrator.registerMigration("9 limits of offers") { database in
            try database.execute(
                sql: """
                    -- Nothing was ever limited.
                    DROP TABLE reservation;
                    -- What counts for a limit, whose name is hashed: signatures as long as they are outstanding, by nonce, and
                    -- redemptions, by transaction, with the last `until` there is. `kept` is what comes again.
                    CREATE TABLE offer_use (
                        limit_key INTEGER NOT NULL,
                        until INTEGER NOT NULL,
                        id BLOB NOT NULL,
                        at INTEGER,
                        refunded INTEGER,
                        kept BLOB,
                        PRIMARY KEY (limit_key, until, id)
                    ) STRICT, WITHOUT ROWID;
                    -- How many there are of an offer in all.
                    CREATE TABLE offer_total (
                        limit_key INTEGER PRIMARY KEY,
                        outstanding INTEGER NOT NULL,
                        redeemed INTEGER NOT NULL,
                        refunded INTEGER NOT NULL
                    ) STRICT;
                    -- The redemptions that are counted, and under which names: 8 bytes each.
                    CREATE TABLE offer_redemption (
                        bundle_id TEXT NOT NULL,
                        transaction_id TEXT NOT NULL,
                        version INTEGER NOT NULL,
                        names BLOB NOT NULL,
                        refunded INTEGER NOT NULL,
                        PRIMARY KEY (bundle_id, transaction_id)
                    ) STRICT, WITHOUT ROWID;
                    CREATE TABLE limit_hash (key BLOB NOT NULL) STRICT;
                    INSERT INTO limit_hash VALUES (randomblob(16));
                    """
            )
        }
        migrator.registerMigration("10 outstanding signatures") { database in
            try database.execute(
                sql: """
                    ALTER TABLE offer_use RENAME TO offer_use_before;
                    -- Redemptions, as they count for a limit, whose name is hashed. No number is ever given twice.
                    CREATE TABLE offer_use (
                        id INTEGER PRIMARY KEY AUTOINCREMENT,
                        limit_key INTEGER NOT NULL,
                        transaction_id BLOB NOT NULL,
                        at INTEGER NOT NULL,
                        refunded INTEGER NOT NULL,
                        UNIQUE (limit_key, transaction_id)
                    ) STRICT;
                    INSERT INTO offer_use (limit_key, transaction_id, at, refunded)
                    SELECT limit_key, id, at, refunded FROM offer_use_before WHERE until = 9223372036854775807;
                    -- Signatures that count as long as they are outstanding; the number begins with that of the request. The names
                    -- of limits, hashed, lie in a row: 8 bytes each. `kept` is what comes again.
                    CREATE TABLE reservation (
                        id INTEGER PRIMARY KEY,
                        until INTEGER NOT NULL,
                        nonce BLOB NOT NULL,
                        names BLOB NOT NULL,
                        totals BLOB NOT NULL,
                        kept BLOB
                    ) STRICT;
                    """)
            try OutstandingMove.run(database)
            try database.execute(sql: "DROP TABLE offer_use_before")
        }
        migrator.registerMigration("11 campaigns") { try $0.execute(sql: campaigns) }
        migrator.registerMigration("12 outstanding signatures by the page") { database in
            try database.execute(
                sql: """
                    ALTER TABLE reservation RENAME TO reservation_before;
                    -- Those that a transaction has made lie together, as many as a page takes; the number of a row is that of the
                    -- first, and so is the nonce. They go when the last has lapsed. How each lies there, ReservationEntry says.
                    CREATE TABLE reservation (
                        id INTEGER PRIMARY KEY,
                        until INTEGER NOT NULL,
                        nonce BLOB NOT NULL,
                        signatures BLOB NOT NULL
                    ) STRICT;
                    """)
            try ReservationMove.run(database)
            try database.execute(sql: "DROP TABLE reservation_before")
        }
        migrator.registerMigration("13 exposures") { try $0.execute(sql: exposures) }
        migrator.registerMigration("14 testers of campaigns") { try $0.execute(sql: testers) }
        migrator.registerMigration("15 holds of exclusion groups") { try $0.execute(sql: holds) }
        migrator.registerMigration("16 tokens of outstanding signatures") { try TokenMove.run($0) }
        migrator.registerMigration("17 last changes of campaigns") { try $0.execute(sql: lastChanges) }
        migrator.registerMigration("18 campaigns count their changes themselves") { database in
            // The triggers on deleted rows stay: only an operator deletes rows, with SQL.
            for name in [
                "campaign_published", "campaign_stands", "campaign_tester_added", "campaign_tester_removed",
                "campaign_draft_tried", "campaign_draft_given_up",
            ] {
                try database.execute(sql: "DROP TRIGGER \(name)")
            }
        }
        migrator.registerMigration("19 where the store was copied to") { database in
            try database.execute(sql: copiedAway)
        }
        migrator.registerMigration("20 events") { try $0.execute(sql: events) }
        migrator.registerMigration("21 figures of campaigns") { try $0.execute(sql: figures) }
        migrator.registerMigration("22 activity of campaigns") { try $0.execute(sql: activity) }
        migrator.registerMigration("23 segments") { try $0.execute(sql: segments) }
        migrator.registerMigration("24 decisions beside their events") { try $0.execute(sql: decisions) }
        return migrator
    }
}
