extension PostgreSQLMigrations {
    static let replicas = [
        // `keys` has one line for each key: id and fingerprint. Rows are updated in place each second.
        """
        CREATE TABLE replica (
            id text COLLATE "C" PRIMARY KEY,
            address text NOT NULL,
            version text NOT NULL,
            started_at int8 NOT NULL,
            configuration text NOT NULL,
            keys text NOT NULL,
            clock_offset int8,
            heartbeat_at int8 NOT NULL
        ) WITH (fillfactor = 50)
        """
    ]
}
