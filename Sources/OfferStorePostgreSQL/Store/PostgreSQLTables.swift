import OfferStoreSQL

/// The base schema: what all databases have, and what is PostgreSQL's own.
enum PostgreSQLTables {
    static let sql = SQLDialect.postgresql
    /// Ends a table whose rows are updated in place.
    static let updated = " WITH (fillfactor = 50)"

    /// The statements that make everything, in their order.
    static let all =
        functions + sql.histories + histories + sql.access + sql.audit + signing + limits + sql.campaigns + sql.exposures
        + exposures + sql.events + events + replicas

    private static let functions = [
        // A table without rows. Recording signatures and changing keys lock it in conflicting modes, so each waits for the other.
        "CREATE TABLE revocation_gate ()",
        // Counts every change, also a manual one. A statement that finds no row changes nothing.
        """
        CREATE FUNCTION raise_revision() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN
            IF TG_ARGV[0] IN ('access', 'keys') THEN LOCK TABLE revocation_gate IN EXCLUSIVE MODE; END IF;
            UPDATE revision SET number = number + 1 WHERE topic = TG_ARGV[0];
            RETURN NULL;
        END $$
        """,
        """
        CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE '%', TG_ARGV[0]; END $$
        """,
    ]

    private static let exposures = [
        """
        ALTER TABLE exposure_arm ADD UNIQUE NULLS NOT DISTINCT (bundle_id, campaign_id, revision, variant, unit_kind)
        """
    ]

    private static let events = [
        // The last row of each chain that was collected. The row of `purchase_event` counts the collections and the erasures;
        // without it, nothing was collected yet. Every change of deliveries locks the row `lock`.
        """
        CREATE TABLE event_position (
            source \(sql.text) NOT NULL, chain int8 NOT NULL, position int8 NOT NULL, PRIMARY KEY (source, chain)
        )\(updated)
        """
    ]

    private static let replicas = [
        // `keys` has one line for each key: id and fingerprint. Rows are updated in place each second.
        """
        CREATE TABLE replica (
            id \(sql.text) PRIMARY KEY,
            address text NOT NULL,
            version text NOT NULL,
            started_at int8 NOT NULL,
            configuration text NOT NULL,
            keys text NOT NULL,
            clock_offset int8,
            heartbeat_at int8 NOT NULL
        )\(updated)
        """
    ]
}

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
