import EligibilityRules
import GRDB
import OfferStore

extension SQLiteMigrations {
    /// The table has at most one row.
    static let copiedAway = "CREATE TABLE copied_away (target TEXT NOT NULL, at INTEGER NOT NULL) STRICT"

    /// The migrations of the file of histories.
    static var histories: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 purchase history, completeness, groups") { database in
            // Ids are ANY: usually numbers, which keep the indexes small, otherwise texts.
            try database.execute(
                sql: """
                    CREATE TABLE app (number INTEGER PRIMARY KEY, bundle_id TEXT NOT NULL UNIQUE) STRICT;
                    CREATE TABLE purchase_chain (
                        id INTEGER PRIMARY KEY,
                        original_transaction_id ANY NOT NULL,
                        app INTEGER NOT NULL,
                        customer_id TEXT,
                        app_account_token TEXT,
                        previous_original_transaction_id ANY,
                        is_subscription INTEGER NOT NULL,
                        updated_at INTEGER NOT NULL,
                        poll_at INTEGER,
                        gist BLOB NOT NULL,
                        record BLOB NOT NULL,
                        UNIQUE (original_transaction_id, app)
                    ) STRICT;
                    CREATE INDEX purchase_chain_by_customer ON purchase_chain (customer_id, app, is_subscription)
                        WHERE customer_id IS NOT NULL;
                    CREATE INDEX purchase_chain_by_token ON purchase_chain (app_account_token, app, is_subscription)
                        WHERE app_account_token IS NOT NULL;
                    CREATE INDEX purchase_chain_by_previous ON purchase_chain (previous_original_transaction_id, app)
                        WHERE previous_original_transaction_id IS NOT NULL;
                    CREATE INDEX purchase_chain_by_due_time ON purchase_chain (app, poll_at) WHERE poll_at IS NOT NULL;
                    CREATE TABLE purchase_transaction (
                        transaction_id ANY NOT NULL,
                        app INTEGER NOT NULL,
                        chain INTEGER NOT NULL,
                        PRIMARY KEY (transaction_id, app)
                    ) STRICT, WITHOUT ROWID;
                    -- All that a look-up of a customer reads; its id is a hash of the customer's.
                    CREATE TABLE customer (
                        id INTEGER PRIMARY KEY,
                        app INTEGER NOT NULL,
                        customer_id TEXT NOT NULL,
                        supplied_at INTEGER,
                        complete_at INTEGER,
                        subscriptions BLOB NOT NULL
                    ) STRICT;
                    -- The subscription group that the App Store names for a product.
                    CREATE TABLE seen_group (
                        app INTEGER NOT NULL,
                        product_id TEXT NOT NULL,
                        group_id TEXT NOT NULL,
                        purchased_at INTEGER NOT NULL,
                        PRIMARY KEY (app, product_id)
                    ) STRICT, WITHOUT ROWID;
                    CREATE TABLE customer_hash (key BLOB NOT NULL) STRICT;
                    INSERT INTO customer_hash VALUES (randomblob(16));
                    CREATE TABLE notification (
                        key BLOB NOT NULL,
                        app INTEGER NOT NULL,
                        version INTEGER NOT NULL,
                        type TEXT NOT NULL,
                        subtype TEXT,
                        original_transaction_id ANY,
                        received_at INTEGER NOT NULL,
                        body BLOB NOT NULL,
                        PRIMARY KEY (key, app)
                    ) STRICT;
                    CREATE INDEX notification_by_subscription ON notification (original_transaction_id, app)
                        WHERE original_transaction_id IS NOT NULL;
                    CREATE TABLE redemption (
                        transaction_id ANY NOT NULL,
                        app INTEGER NOT NULL,
                        chain INTEGER NOT NULL,
                        product_id TEXT NOT NULL,
                        offer_id TEXT NOT NULL,
                        purchased_at INTEGER NOT NULL,
                        nonce BLOB,
                        searched_at INTEGER,
                        PRIMARY KEY (transaction_id, app)
                    ) STRICT, WITHOUT ROWID;
                    CREATE INDEX redemption_by_nonce ON redemption (nonce) WHERE nonce IS NOT NULL;
                    CREATE INDEX redemption_by_chain ON redemption (chain) WHERE nonce IS NULL;
                    CREATE INDEX redemption_to_tie ON redemption (purchased_at) WHERE nonce IS NULL AND searched_at IS NULL;
                    CREATE TABLE lease (name TEXT NOT NULL PRIMARY KEY, holder TEXT NOT NULL, expires_at INTEGER NOT NULL) STRICT;
                    CREATE TABLE progress (name TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL) STRICT;
                    """
            )
        }
        migrator.registerMigration("2 counted redemptions") { database in
            try database.execute(
                sql: """
                    -- `version` grows with every change of a redemption or its subscription; `counted` is the one that limits know.
                    ALTER TABLE redemption ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
                    ALTER TABLE redemption ADD COLUMN counted INTEGER NOT NULL DEFAULT 0;
                    CREATE INDEX redemption_of_chain ON redemption (chain);
                    CREATE INDEX redemption_to_count ON redemption (purchased_at) WHERE counted <> version;
                    """
            )
        }
        migrator.registerMigration("3 Apple accounts") { database in
            try database.execute(
                sql: """
                    ALTER TABLE purchase_chain ADD COLUMN app_transaction_id ANY;
                    -- What the same Apple accounts have that is bound to others, or to nobody; NULL as a rule.
                    ALTER TABLE customer ADD COLUMN account_subscriptions BLOB;
                    """
            )
            try enterAccounts(database)
            try database.execute(
                sql: """
                    CREATE INDEX purchase_chain_by_account ON purchase_chain (app_transaction_id, app)
                        WHERE app_transaction_id IS NOT NULL;
                    """
            )
        }
        migrator.registerMigration("4 aliases and proofs") { database in
            try database.execute(
                sql: """
                    -- How it is known whose it is. What was bound before proofs were kept stays where it is: a backend vouches.
                    ALTER TABLE purchase_chain ADD COLUMN binding_proof INTEGER;
                    UPDATE purchase_chain SET binding_proof = 2 WHERE customer_id IS NOT NULL;
                    -- The customer whom a name stands for; NULL for one who goes by this name.
                    ALTER TABLE customer ADD COLUMN alias_of TEXT;
                    CREATE INDEX customer_by_alias ON customer (alias_of, app) WHERE alias_of IS NOT NULL;
                    """
            )
        }
        migrator.registerMigration("5 receipts") { database in
            try database.execute(
                sql: """
                    -- `name` is an original transaction, or of a receipt not verified yet its SHA-256: a blob. `sealed` stands last, so
                    -- that whoever counts need not read it.
                    CREATE TABLE receipt (
                        app INTEGER NOT NULL,
                        name ANY NOT NULL,
                        customer_id TEXT,
                        kept_at INTEGER NOT NULL,
                        shown_at INTEGER NOT NULL,
                        verified_at INTEGER,
                        due_at INTEGER,
                        failures INTEGER NOT NULL DEFAULT 0,
                        reason TEXT,
                        sealed BLOB NOT NULL,
                        PRIMARY KEY (app, name)
                    ) STRICT;
                    CREATE INDEX receipt_by_due_time ON receipt (app, due_at) WHERE due_at IS NOT NULL;
                    CREATE INDEX receipt_by_reason ON receipt (app, reason);
                    CREATE INDEX receipt_by_customer ON receipt (customer_id, app) WHERE customer_id IS NOT NULL;
                    CREATE TRIGGER receipt_of_forgotten_subscription AFTER DELETE ON purchase_chain
                        BEGIN DELETE FROM receipt WHERE app = OLD.app AND name = OLD.original_transaction_id; END;
                    """
            )
        }
        // Subscriptions are never deleted.
        migrator.registerMigration("6 receipts without a trigger") {
            try $0.execute(sql: "DROP TRIGGER receipt_of_forgotten_subscription")
        }
        migrator.registerMigration("7 retention of notifications") {
            try $0.execute(
                sql: """
                    -- The last notification when so many ms were served in all, and the last one whose content is gone.
                    CREATE TABLE notification_mark (served INTEGER PRIMARY KEY, notification INTEGER NOT NULL) STRICT;
                    CREATE TABLE notification_retention (blanked INTEGER NOT NULL) STRICT;
                    INSERT INTO notification_retention VALUES (0);
                    """)
        }
        migrator.registerMigration("8 where the store was copied to") { try $0.execute(sql: copiedAway) }
        migrator.registerMigration("9 changes that make events") { try $0.execute(sql: purchaseEvents) }
        migrator.registerMigration("10 refund requests") { try $0.execute(sql: refunds) }
        migrator.registerMigration("11 position") {
            // The number of transactions. A file with fewer than are noted beside it is an older copy.
            try $0.execute(sql: "CREATE TABLE position (number INTEGER NOT NULL) STRICT; INSERT INTO position VALUES (0)")
        }
        return migrator
    }

    /// Fills in the Apple account of each chain from its record.
    private static func enterAccounts(_ database: Database) throws {
        let chains = try PreparedStatement(database, "SELECT id, original_transaction_id, record FROM purchase_chain")
        let update = try PreparedStatement(database, "UPDATE purchase_chain SET app_transaction_id = ? WHERE id = ?")
        let decoder = ChainRecord.Decoder()
        defer { chains.reset() }
        while try chains.step() {
            // A damaged record has no account until the history is supplied anew.
            let chain = chains.withBytes(2) { try? decoder.chain(originalID: chains.originalID(1), bytes: $0) }
            guard let account = chain?.appTransactionID else { continue }
            update.bind(id: account, at: 1)
            update.bind(chains.number(0), at: 2)
            try update.run()
        }
    }
}
