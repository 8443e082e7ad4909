extension PostgreSQLMigrations {
    static let figures = [
        // The last counts of campaigns. `figures` is JSON.
        """
        CREATE TABLE campaign_figures (
            bundle_id text COLLATE "C" NOT NULL,
            campaign_id text COLLATE "C" NOT NULL,
            counted_at int8 NOT NULL,
            figures bytea NOT NULL,
            PRIMARY KEY (bundle_id, campaign_id)
        )
        """
    ]
}
