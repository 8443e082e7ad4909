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
        // The last row of each chain that was collected. The row of `purchase_event` counts the collections; without it, nothing
        // was collected yet. Every change of deliveries locks the row `lock`.
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
