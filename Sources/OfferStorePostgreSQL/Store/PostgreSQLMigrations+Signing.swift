extension PostgreSQLMigrations {
    /// The tables of signatures, refusals and the audit log. Names are compared bytewise; instants are ms since 1970.
    static let signing = [
        // A row's number is its chain's number times 2⁴⁰ plus its place in the chain, so it is unique across processes.
        """
        CREATE TABLE signed_request (
            id int8 PRIMARY KEY,
            signed_at int8 NOT NULL,
            bundle_id text COLLATE "C" NOT NULL,
            key_id text COLLATE "C" NOT NULL,
            form text NOT NULL,
            caller text COLLATE "C" NOT NULL,
            customer_id text COLLATE "C",
            application_username text COLLATE "C",
            transaction_id text COLLATE "C",
            request_id text COLLATE "C" NOT NULL,
            nonces bytea NOT NULL,
            digests bytea NOT NULL,
            offers text COLLATE "C" NOT NULL,
            address text,
            chain int8 NOT NULL,
            link bytea NOT NULL,
            personal_digest bytea
        )
        """,
        "CREATE INDEX signed_request_by_time ON signed_request (signed_at, id)",
        // Prevents the reuse of nonces: the first eight bytes of the nonces of one request.
        "CREATE TABLE nonce_series (series int8 PRIMARY KEY, signed_request int8 NOT NULL)",
        """
        CREATE TABLE idempotency (
            caller text COLLATE "C" NOT NULL,
            key text COLLATE "C" NOT NULL,
            request_digest bytea NOT NULL,
            answer bytea NOT NULL,
            created_at int8 NOT NULL,
            PRIMARY KEY (caller, key)
        )
        """,
        "CREATE INDEX idempotency_by_age ON idempotency (created_at)",
        """
        CREATE TABLE refused_request (
            id int8 PRIMARY KEY,
            refused_at int8 NOT NULL,
            bundle_id text COLLATE "C" NOT NULL,
            caller text COLLATE "C" NOT NULL,
            customer_id text COLLATE "C",
            application_username text COLLATE "C",
            transaction_id text COLLATE "C",
            request_id text COLLATE "C" NOT NULL,
            offers text COLLATE "C" NOT NULL,
            address text,
            chain int8 NOT NULL,
            link bytea NOT NULL,
            personal_digest bytea
        )
        """,
        "CREATE INDEX refused_request_by_time ON refused_request (refused_at, id)",
        """
        CREATE INDEX refused_request_by_customer ON refused_request (customer_id, bundle_id, refused_at, id)
            WHERE customer_id IS NOT NULL
        """,
        """
        CREATE TABLE audit_event (
            id int8 PRIMARY KEY,
            at int8 NOT NULL,
            actor text COLLATE "C" NOT NULL,
            action text COLLATE "C" NOT NULL,
            bundle_id text COLLATE "C",
            subject text COLLATE "C",
            before text COLLATE "C",
            after text COLLATE "C",
            reason text COLLATE "C",
            request_id text COLLATE "C",
            customer_id text COLLATE "C",
            transaction_id text COLLATE "C",
            address text COLLATE "C",
            chain int8 NOT NULL,
            link bytea NOT NULL,
            personal_digest bytea
        )
        """,
        "CREATE INDEX audit_event_by_time ON audit_event (at, id)",
        // One chain for each process and table. Retention's removals: number of rows, the last row and its link.
        """
        CREATE TABLE audit_chain (
            number int8 GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            id bytea NOT NULL UNIQUE,
            writer bytea NOT NULL,
            table_name text NOT NULL,
            opened_at int8 NOT NULL,
            removed_rows int8 NOT NULL DEFAULT 0,
            removed_row int8,
            removed_link bytea
        )
        """,
        "CREATE TABLE audit_head (number int8 PRIMARY KEY, writer bytea NOT NULL, sealed_at int8 NOT NULL, note text NOT NULL)",
        // Offers by minute, separate for each chain, so that processes do not wait for each other.
        """
        CREATE TABLE offer_tally (
            minute int8 NOT NULL,
            table_name text NOT NULL,
            bundle_id text COLLATE "C" NOT NULL,
            outcome text COLLATE "C" NOT NULL,
            chain int8 NOT NULL,
            offers int8 NOT NULL,
            latest_at int8 NOT NULL,
            PRIMARY KEY (minute, table_name, bundle_id, outcome, chain)
        ) WITH (fillfactor = 50)
        """,
        "CREATE TABLE secret (name text PRIMARY KEY, value bytea NOT NULL)",
        // Served milliseconds, and the state of the clock.
        "CREATE TABLE clock (served int8 NOT NULL, seen_at int8, accepted_at int8, repaired_at int8)",
        "INSERT INTO clock VALUES (0)",
        // The latest signing time of each chain's process since the last repair.
        "CREATE TABLE latest_signature (chain int8 PRIMARY KEY, at int8) WITH (fillfactor = 50)",
        // The last rows whose times do not count, because a wrong clock made them.
        "CREATE TABLE repaired_chain (chain int8 PRIMARY KEY, last_row int8 NOT NULL)",
        // The ends of chains when this much had been served, once an hour.
        "CREATE TABLE serving_mark (served int8 PRIMARY KEY, reached_at int8 NOT NULL)",
        """
        CREATE TABLE serving_mark_chain (
            served int8 REFERENCES serving_mark ON DELETE CASCADE, chain int8, last_row int8 NOT NULL, PRIMARY KEY (served, chain))
        """,
    ]

    /// The tables of offers' limits. Names of limits are hashed.
    static let limits = [
        "CREATE TABLE limit_hash (key bytea NOT NULL)",
        "INSERT INTO limit_hash VALUES (uuid_send(gen_random_uuid()))",
        // Locked before the uses under the name are read. For a total, it also contains the counts.
        """
        CREATE TABLE offer_limit (
            limit_key int8 PRIMARY KEY,
            outstanding int8 NOT NULL DEFAULT 0,
            redeemed int8 NOT NULL DEFAULT 0,
            refunded int8 NOT NULL DEFAULT 0
        ) WITH (fillfactor = 50)
        """,
        // Outstanding signatures. `token` is what is returned again.
        """
        CREATE TABLE reservation (
            nonce bytea PRIMARY KEY,
            signed_request int8 NOT NULL,
            until int8 NOT NULL,
            names int8[] NOT NULL,
            staying_names int8[] NOT NULL,
            totals int8[] NOT NULL,
            staying_totals int8[] NOT NULL,
            token bytea
        )
        """,
        "CREATE INDEX reservation_by_end ON reservation (until)",
        // The same signatures by name and total.
        """
        CREATE TABLE reservation_name (
            limit_key int8 NOT NULL, until int8 NOT NULL, nonce bytea NOT NULL, PRIMARY KEY (limit_key, until, nonce))
        """,
        // Redemptions by limit name.
        """
        CREATE TABLE offer_use (
            limit_key int8 NOT NULL,
            transaction_id text COLLATE "C" NOT NULL,
            at int8 NOT NULL,
            is_refunded boolean NOT NULL,
            PRIMARY KEY (limit_key, transaction_id)
        )
        """,
        // The counted redemptions, with their names.
        """
        CREATE TABLE offer_redemption (
            bundle_id text COLLATE "C" NOT NULL,
            transaction_id text COLLATE "C" NOT NULL,
            version int8 NOT NULL,
            names int8[] NOT NULL,
            staying_names int8[] NOT NULL,
            is_refunded boolean NOT NULL,
            PRIMARY KEY (bundle_id, transaction_id)
        )
        """,
    ]
}
