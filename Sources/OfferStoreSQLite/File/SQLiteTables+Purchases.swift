extension SQLiteTables {
    /// The tables of purchases. Ids are ANY: usually numbers, which keep the indexes small, otherwise texts.
    static let purchases = [
        // `binding_proof`: the proof that the chain belongs to `customer_id`.
        """
        CREATE TABLE purchase_chain (
            id INTEGER PRIMARY KEY,
            original_transaction_id ANY NOT NULL,
            app INTEGER NOT NULL,
            customer_id TEXT,
            binding_proof INTEGER,
            app_account_token TEXT,
            previous_original_transaction_id ANY,
            app_transaction_id ANY,
            is_subscription INTEGER NOT NULL,
            updated_at INTEGER NOT NULL,
            poll_at INTEGER,
            gist BLOB NOT NULL,
            record BLOB NOT NULL,
            UNIQUE (original_transaction_id, app)
        ) STRICT
        """,
        """
        CREATE INDEX purchase_chain_by_customer ON purchase_chain (customer_id, app, is_subscription) WHERE customer_id IS NOT NULL
        """,
        """
        CREATE INDEX purchase_chain_by_token ON purchase_chain (app_account_token, app, is_subscription)
            WHERE app_account_token IS NOT NULL
        """,
        """
        CREATE INDEX purchase_chain_by_previous ON purchase_chain (previous_original_transaction_id, app)
            WHERE previous_original_transaction_id IS NOT NULL
        """,
        """
        CREATE INDEX purchase_chain_by_account ON purchase_chain (app_transaction_id, app) WHERE app_transaction_id IS NOT NULL
        """,
        "CREATE INDEX purchase_chain_by_due_time ON purchase_chain (app, poll_at) WHERE poll_at IS NOT NULL",
        """
        CREATE TABLE purchase_transaction (
            transaction_id ANY NOT NULL, app INTEGER NOT NULL, chain INTEGER NOT NULL, PRIMARY KEY (transaction_id, app)
        ) STRICT, WITHOUT ROWID
        """,
        // A row has all that a look-up of a customer reads. `id` is a hash of the customer's id. `account_subscriptions`: the
        // subscriptions of the same Apple accounts that belong to other customers or have no owner; mostly NULL. `alias_of`: the
        // customer that the name refers to; NULL if the name is no alias.
        """
        CREATE TABLE customer (
            id INTEGER PRIMARY KEY,
            app INTEGER NOT NULL,
            customer_id TEXT NOT NULL,
            supplied_at INTEGER,
            complete_at INTEGER,
            subscriptions BLOB NOT NULL,
            account_subscriptions BLOB,
            alias_of TEXT
        ) STRICT
        """,
        "CREATE INDEX customer_by_alias ON customer (alias_of, app) WHERE alias_of IS NOT NULL",
        // `version` grows with every change of a redemption or its subscription. `counted` is the version that is counted for
        // limits.
        """
        CREATE TABLE redemption (
            transaction_id ANY NOT NULL,
            app INTEGER NOT NULL,
            chain INTEGER NOT NULL,
            product_id TEXT NOT NULL,
            offer_id TEXT NOT NULL,
            purchased_at INTEGER NOT NULL,
            nonce BLOB,
            searched_at INTEGER,
            version INTEGER NOT NULL DEFAULT 1,
            counted INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (transaction_id, app)
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX redemption_by_nonce ON redemption (nonce) WHERE nonce IS NOT NULL",
        "CREATE INDEX redemption_by_chain ON redemption (chain) WHERE nonce IS NULL",
        "CREATE INDEX redemption_of_chain ON redemption (chain)",
        "CREATE INDEX redemption_to_tie ON redemption (purchased_at) WHERE nonce IS NULL AND searched_at IS NULL",
        "CREATE INDEX redemption_to_count ON redemption (purchased_at) WHERE counted <> version",
        // The number of transactions so far. If it is lower than the number noted beside the file, the file is an older copy.
        "CREATE TABLE position (number INTEGER NOT NULL) STRICT",
        "INSERT INTO position VALUES (0)",
    ]
}
