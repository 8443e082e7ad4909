extension PostgreSQLMigrations {
    /// Divides the ledger by days. What there is becomes the first partition as it is, read once and not written.
    static let partitions = [
        // In the order in which running processes lock the tables.
        "ALTER TABLE nonce_series RENAME TO nonce_series_0",
        "ALTER TABLE nonce_series_0 ADD COLUMN issued_day int8 NOT NULL DEFAULT 0",
        // Each partition has one value, the first of its days, so that its primary key keeps a series from being used twice.
        "CREATE TABLE nonce_series (LIKE nonce_series_0 INCLUDING DEFAULTS) PARTITION BY LIST (issued_day)",
        "ALTER TABLE nonce_series ATTACH PARTITION nonce_series_0 FOR VALUES IN (0)",
        "ALTER TABLE signed_request RENAME TO signed_request_0",
        "CREATE TABLE signed_request (LIKE signed_request_0 INCLUDING ALL) PARTITION BY RANGE (id)",
        // The numbers of the first 2²⁰ chains.
        "ALTER TABLE signed_request ATTACH PARTITION signed_request_0 FOR VALUES FROM (MINVALUE) TO (1152921504606846976)",
        "ALTER TABLE refused_request RENAME TO refused_request_0",
        "CREATE TABLE refused_request (LIKE refused_request_0 INCLUDING ALL) PARTITION BY RANGE (id)",
        "ALTER TABLE refused_request ATTACH PARTITION refused_request_0 FOR VALUES FROM (MINVALUE) TO (1152921504606846976)",
        // Chains first ..< first + chains are opened on these days. Each range is a partition of both tables.
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
        // Running processes of an earlier release may still open chains in the first range, by the column's own numbers.
        "INSERT INTO chain_range SELECT 0, 1048576, day, day FROM (SELECT \(today) + 2 AS day) AS later",
        // A mark has only the chains that have grown since the last one: a process opens one each day.
        "CREATE INDEX serving_mark_chain_by_chain ON serving_mark_chain (chain, last_row)",
        // Nonces of the days first ..< until_day. A row stays when its partition is dropped: its days never get another.
        "CREATE TABLE nonce_range (first int8 PRIMARY KEY, until_day int8 NOT NULL, is_dropped boolean NOT NULL DEFAULT false)",
        // No nonce used so far was issued after it was used. A process of an earlier release uses the first partition for all days.
        """
        INSERT INTO nonce_range
        SELECT 0, CASE WHEN max(signed_at) IS NULL AND NOT EXISTS (SELECT 1 FROM replica) THEN 1
            ELSE greatest(max(signed_at) / 86400000, \(today)) + 2 END
        FROM signed_request
        """,
    ]

    private static let today = "extract(epoch FROM now())::int8 / 86400"
}
