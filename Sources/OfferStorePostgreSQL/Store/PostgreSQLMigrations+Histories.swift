extension PostgreSQLMigrations {
    /// The tables of purchase histories. Ids are compared bytewise; instants are ms since 1970.
    static let histories = [
        """
        CREATE TABLE app (number int8 GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text COLLATE "C" NOT NULL UNIQUE)
        """,
        """
        CREATE TABLE purchase_chain (
            app int8 NOT NULL,
            original_transaction_id text COLLATE "C" NOT NULL,
            customer_id text COLLATE "C",
            binding_proof int8,
            app_account_token text COLLATE "C",
            previous_original_transaction_id text COLLATE "C",
            app_transaction_id text COLLATE "C",
            is_subscription boolean NOT NULL,
            updated_at int8 NOT NULL,
            poll_at int8,
            gist bytea NOT NULL,
            record bytea NOT NULL,
            PRIMARY KEY (app, original_transaction_id)
        )
        """,
        "CREATE INDEX purchase_chain_by_customer ON purchase_chain (app, customer_id) WHERE customer_id IS NOT NULL",
        "CREATE INDEX purchase_chain_by_token ON purchase_chain (app, app_account_token) WHERE app_account_token IS NOT NULL",
        """
        CREATE INDEX purchase_chain_by_previous ON purchase_chain (app, previous_original_transaction_id)
            WHERE previous_original_transaction_id IS NOT NULL
        """,
        "CREATE INDEX purchase_chain_by_account ON purchase_chain (app, app_transaction_id) WHERE app_transaction_id IS NOT NULL",
        "CREATE INDEX purchase_chain_by_due_time ON purchase_chain (app, poll_at) WHERE poll_at IS NOT NULL",
        """
        CREATE TABLE purchase_transaction (
            app int8 NOT NULL,
            transaction_id text COLLATE "C" NOT NULL,
            original_transaction_id text COLLATE "C" NOT NULL,
            PRIMARY KEY (app, transaction_id)
        )
        """,
        // Names, and what cannot be derived from the purchases. A place is a hash of the name.
        """
        CREATE TABLE customer (
            app int8 NOT NULL,
            customer_id text COLLATE "C" NOT NULL,
            alias_of text COLLATE "C",
            place int8 NOT NULL,
            supplied_at int8,
            complete_at int8,
            PRIMARY KEY (app, customer_id)
        )
        """,
        "CREATE TABLE customer_hash (key bytea NOT NULL)",
        "INSERT INTO customer_hash VALUES (uuid_send(gen_random_uuid()))",
        "CREATE INDEX customer_by_alias ON customer (app, alias_of) WHERE alias_of IS NOT NULL",
        "CREATE INDEX customer_by_place ON customer (app, place) WHERE alias_of IS NULL",
        """
        CREATE TABLE seen_group (
            app int8 NOT NULL,
            product_id text COLLATE "C" NOT NULL,
            group_id text COLLATE "C" NOT NULL,
            purchased_at int8 NOT NULL,
            PRIMARY KEY (app, product_id)
        )
        """,
        """
        CREATE TABLE notification (
            app int8 NOT NULL,
            key bytea NOT NULL,
            version int8 NOT NULL,
            type text NOT NULL,
            subtype text,
            original_transaction_id text COLLATE "C",
            received_at int8 NOT NULL,
            number int8 GENERATED ALWAYS AS IDENTITY,
            body bytea NOT NULL,
            PRIMARY KEY (app, key)
        )
        """,
        "CREATE UNIQUE INDEX notification_by_number ON notification (number)",
        // The last notification when this many ms had been served, and the last one whose content was deleted.
        "CREATE TABLE notification_mark (served int8 PRIMARY KEY, notification int8 NOT NULL)",
        "CREATE TABLE notification_retention (blanked int8 NOT NULL)",
        "INSERT INTO notification_retention VALUES (0)",
        """
        CREATE INDEX notification_by_chain ON notification (app, original_transaction_id)
            WHERE original_transaction_id IS NOT NULL
        """,
        // `version` rises with every change of a redemption or its subscription; `counted` is the version counted for limits.
        """
        CREATE TABLE redemption (
            app int8 NOT NULL,
            transaction_id text COLLATE "C" NOT NULL,
            original_transaction_id text COLLATE "C" NOT NULL,
            product_id text COLLATE "C" NOT NULL,
            offer_id text COLLATE "C" NOT NULL,
            purchased_at int8 NOT NULL,
            nonce bytea UNIQUE,
            searched_at int8,
            version int8 NOT NULL DEFAULT 1,
            counted int8 NOT NULL DEFAULT 0,
            PRIMARY KEY (app, transaction_id)
        )
        """,
        "CREATE INDEX redemption_by_chain ON redemption (app, original_transaction_id)",
        "CREATE INDEX redemption_to_tie ON redemption (purchased_at) WHERE nonce IS NULL AND searched_at IS NULL",
        "CREATE INDEX redemption_to_count ON redemption (purchased_at) WHERE counted <> version",
        // A subscription's receipt is named by its original transaction, an unverified receipt by its digest.
        """
        CREATE TABLE receipt (
            app int8 NOT NULL,
            name bytea NOT NULL,
            is_unverified boolean NOT NULL,
            customer_id text COLLATE "C",
            kept_at int8 NOT NULL,
            shown_at int8 NOT NULL,
            verified_at int8,
            due_at int8,
            failures int8 NOT NULL DEFAULT 0,
            reason text COLLATE "C",
            sealed bytea NOT NULL,
            PRIMARY KEY (app, is_unverified, name)
        )
        """,
        "CREATE INDEX receipt_by_due_time ON receipt (app, due_at) WHERE due_at IS NOT NULL",
        "CREATE INDEX receipt_by_age ON receipt (kept_at) WHERE is_unverified",
        "CREATE INDEX receipt_by_customer ON receipt (app, customer_id) WHERE customer_id IS NOT NULL",
        "CREATE TABLE lease (name text PRIMARY KEY, holder text NOT NULL, expires_at int8 NOT NULL)",
        "CREATE TABLE progress (name text PRIMARY KEY, value text NOT NULL)",
    ]
}
