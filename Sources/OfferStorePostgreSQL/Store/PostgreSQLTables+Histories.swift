import OfferStoreSQL

extension PostgreSQLTables {
    /// The tables of purchase histories. Ids are compared bytewise; instants are ms since 1970.
    static let histories = [
        """
        CREATE TABLE purchase_chain (
            app int8 NOT NULL,
            original_transaction_id \(sql.text) NOT NULL,
            customer_id \(sql.text),
            binding_proof int8,
            app_account_token \(sql.text),
            previous_original_transaction_id \(sql.text),
            app_transaction_id \(sql.text),
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
            transaction_id \(sql.text) NOT NULL,
            original_transaction_id \(sql.text) NOT NULL,
            PRIMARY KEY (app, transaction_id)
        )
        """,
        // Names, and what cannot be derived from the purchases. A place is a hash of the name.
        """
        CREATE TABLE customer (
            app int8 NOT NULL,
            customer_id \(sql.text) NOT NULL,
            alias_of \(sql.text),
            place int8 NOT NULL,
            supplied_at int8,
            complete_at int8,
            PRIMARY KEY (app, customer_id)
        )
        """,
        "CREATE INDEX customer_by_alias ON customer (app, alias_of) WHERE alias_of IS NOT NULL",
        "CREATE INDEX customer_by_place ON customer (app, place) WHERE alias_of IS NULL",
        // `version` rises with every change of a redemption or its subscription; `counted` is the version counted for limits.
        """
        CREATE TABLE redemption (
            app int8 NOT NULL,
            transaction_id \(sql.text) NOT NULL,
            original_transaction_id \(sql.text) NOT NULL,
            product_id \(sql.text) NOT NULL,
            offer_id \(sql.text) NOT NULL,
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
    ]
}
