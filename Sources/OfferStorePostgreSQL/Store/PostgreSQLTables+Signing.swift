import OfferStoreSQL

extension PostgreSQLTables {
    /// The tables of signatures and refusals, divided by days, and those of the clock.
    static let signing = [
        // A row's number is its chain's number times 2⁴⁰ plus its place in the chain, so it is unique across processes.
        "CREATE TABLE signed_request (\n    \(sql.signedRequestColumns)\n) PARTITION BY RANGE (id)",
        "CREATE INDEX signed_request_by_time ON signed_request (signed_at, id)",
        "CREATE TABLE refused_request (\n    \(sql.refusedRequestColumns)\n) PARTITION BY RANGE (id)",
        "CREATE INDEX refused_request_by_time ON refused_request (refused_at, id)",
        """
        CREATE INDEX refused_request_by_customer ON refused_request (customer_id, bundle_id, refused_at, id)
            WHERE customer_id IS NOT NULL
        """,
        // The first partitions are for what is copied from another store: rows of the first 2²⁰ chains, and nonces without a day.
        "CREATE TABLE signed_request_0 (LIKE signed_request INCLUDING ALL)",
        "ALTER TABLE signed_request ATTACH PARTITION signed_request_0 FOR VALUES FROM (MINVALUE) TO (1152921504606846976)",
        "CREATE TABLE refused_request_0 (LIKE refused_request INCLUDING ALL)",
        "ALTER TABLE refused_request ATTACH PARTITION refused_request_0 FOR VALUES FROM (MINVALUE) TO (1152921504606846976)",
        // Prevents the reuse of nonces. `series`: the first eight bytes of the nonces of one request. `issued_day` has the same
        // value in all rows of a partition: the first of the partition's days. So the partition's primary key keeps a series from
        // being used twice.
        """
        CREATE TABLE nonce_series (series int8 NOT NULL, signed_request int8 NOT NULL, issued_day int8 NOT NULL DEFAULT 0)
            PARTITION BY LIST (issued_day)
        """,
        "CREATE TABLE nonce_series_0 (LIKE nonce_series INCLUDING DEFAULTS, PRIMARY KEY (series))",
        "ALTER TABLE nonce_series ATTACH PARTITION nonce_series_0 FOR VALUES IN (0)",
        // The nonces of the days first ..< until_day are in one partition. The row stays when the partition is dropped, because
        // its days must not get another partition.
        "CREATE TABLE nonce_range (first int8 PRIMARY KEY, until_day int8 NOT NULL, is_dropped boolean NOT NULL DEFAULT false)",
        "INSERT INTO nonce_range VALUES (0, 1)",
        // The chains first ..< first + chains are opened on these days. Their rows are one partition of each of the two tables.
        """
        CREATE TABLE chain_range (
            first int8 PRIMARY KEY,
            chains int8 NOT NULL,
            from_day int8 NOT NULL,
            until_day int8 NOT NULL,
            opened int8 NOT NULL DEFAULT 0,
            signed_request_dropped boolean NOT NULL DEFAULT false,
            refused_request_dropped boolean NOT NULL DEFAULT false
        )
        """,
        "INSERT INTO chain_range SELECT 0, 1048576, day, day FROM (SELECT extract(epoch FROM now())::int8 / 86400 + 2 AS day) AS later",
        "CREATE INDEX audit_event_by_time ON audit_event (at, id)",
        // Offers by minute, separate for each chain, so that processes do not wait for each other.
        """
        CREATE TABLE offer_tally (
            minute int8 NOT NULL,
            table_name text NOT NULL,
            bundle_id \(sql.text) NOT NULL,
            outcome \(sql.text) NOT NULL,
            chain int8 NOT NULL,
            offers int8 NOT NULL,
            latest_at int8 NOT NULL,
            PRIMARY KEY (minute, table_name, bundle_id, outcome, chain)
        )\(updated)
        """,
        // Served milliseconds, and the state of the clock.
        "CREATE TABLE clock (served int8 NOT NULL, seen_at int8, accepted_at int8, repaired_at int8)",
        "INSERT INTO clock VALUES (0)",
        // The latest signing time of each chain's process since the last repair.
        "CREATE TABLE latest_signature (chain int8 PRIMARY KEY, at int8)\(updated)",
        // The last rows whose times do not count, because a wrong clock made them.
        "CREATE TABLE repaired_chain (chain int8 PRIMARY KEY, last_row int8 NOT NULL)",
        // The ends of chains when this much had been served, once an hour. A mark has only the chains that have grown since the
        // last mark, because a process opens new chains each day.
        "CREATE TABLE serving_mark (served int8 PRIMARY KEY, reached_at int8 NOT NULL)",
        """
        CREATE TABLE serving_mark_chain (
            served int8 REFERENCES serving_mark ON DELETE CASCADE, chain int8, last_row int8 NOT NULL, PRIMARY KEY (served, chain))
        """,
        "CREATE INDEX serving_mark_chain_by_chain ON serving_mark_chain (chain, last_row)",
    ]

    /// The tables of offers' limits. Names of limits are hashed.
    static let limits = [
        // A row is locked before the uses under its name are read. For a total, it also has the counts.
        """
        CREATE TABLE offer_limit (
            limit_key int8 PRIMARY KEY,
            outstanding int8 NOT NULL DEFAULT 0,
            redeemed int8 NOT NULL DEFAULT 0,
            refunded int8 NOT NULL DEFAULT 0
        )\(updated)
        """,
        // Outstanding signatures. `held`: those of the totals in which the signature holds its customer's place.
        """
        CREATE TABLE reservation (
            nonce bytea PRIMARY KEY,
            signed_request int8 NOT NULL,
            until int8 NOT NULL,
            names int8[] NOT NULL,
            staying_names int8[] NOT NULL,
            totals int8[] NOT NULL,
            staying_totals int8[] NOT NULL,
            held int8[] NOT NULL
        )
        """,
        "CREATE INDEX reservation_by_end ON reservation (until)",
        // The same signatures by name and held total.
        """
        CREATE TABLE reservation_name (
            limit_key int8 NOT NULL, until int8 NOT NULL, nonce bytea NOT NULL, PRIMARY KEY (limit_key, until, nonce))
        """,
        // Redemptions by limit name.
        """
        CREATE TABLE offer_use (
            limit_key int8 NOT NULL,
            transaction_id \(sql.text) NOT NULL,
            at int8 NOT NULL,
            is_refunded boolean NOT NULL,
            PRIMARY KEY (limit_key, transaction_id)
        )
        """,
        // The counted redemptions, with their names.
        """
        CREATE TABLE offer_redemption (
            bundle_id \(sql.text) NOT NULL,
            transaction_id \(sql.text) NOT NULL,
            version int8 NOT NULL,
            names int8[] NOT NULL,
            staying_names int8[] NOT NULL,
            is_refunded boolean NOT NULL,
            PRIMARY KEY (bundle_id, transaction_id)
        )
        """,
    ]
}
