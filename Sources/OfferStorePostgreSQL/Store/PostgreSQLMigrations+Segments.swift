extension PostgreSQLMigrations {
    static let segments = [
        // Campaigns hold copies of them, so nothing refers to this table.
        """
        CREATE TABLE segment (
            bundle_id text COLLATE "C" NOT NULL,
            id text COLLATE "C" NOT NULL,
            version int8 NOT NULL,
            document bytea NOT NULL,
            changed_at int8 NOT NULL,
            changed_by text NOT NULL,
            changed_reason text NOT NULL,
            PRIMARY KEY (bundle_id, id)
        )
        """
    ]
}
