import OfferStoreSQL

/// The base schema: what all databases have, and what is SQLite's own.
enum SQLiteTables {
    private static let sql = SQLDialect.sqlite

    /// The statements that make the file of signatures, in their order.
    static let signatures =
        sql.access + sql.audit + signing + limits + sql.campaigns + sql.exposures + exposures + sql.events + events + [copiedAway]

    /// The statements that make the file of histories, in their order.
    static let histories = sql.histories + purchases + [copiedAway]

    private static let signing = [
        "CREATE TABLE signed_request (\n    \(sql.signedRequestColumns)\n)\(sql.plain)",
        "CREATE TABLE refused_request (\n    \(sql.refusedRequestColumns)\n)\(sql.plain)",
        "CREATE INDEX refused_request_by_customer ON refused_request (customer_id, bundle_id) WHERE customer_id IS NOT NULL",
        "INSERT INTO audit_table VALUES ('signed_request', 0), ('refused_request', 0), ('audit_event', 0)",
        // What keeps a nonce from being used twice: the first eight bytes of the nonces of one request.
        "CREATE TABLE nonce_series (series BLOB NOT NULL PRIMARY KEY, signed_request INTEGER NOT NULL)\(sql.ordered)",
        // One row a signature, for reading.
        """
        CREATE VIEW ledger AS
            SELECT substr(nonces, 16 * offer.key + 1, 16) AS nonce, signed_at, bundle_id, key_id,
                offer.value ->> 0 AS product_id, offer.value ->> 1 AS offer_id, form, caller, customer_id,
                application_username, coalesce(offer.value ->> 2, transaction_id) AS transaction_id, request_id,
                substr(digests, 32 * offer.key + 1, 32) AS digest, signed_request.id AS signed_request
            FROM signed_request, json_each(signed_request.offers) AS offer
        """,
        // What a write that is only to show that writing works changes.
        "CREATE TABLE write_probe (count INTEGER NOT NULL) STRICT",
        "INSERT INTO write_probe VALUES (0)",
        // Milliseconds that services have served, and what is known of the clock. Up to `repaired_row` the times of signatures do
        // not count, because a wrong clock made them.
        """
        CREATE TABLE clock (
            served INTEGER NOT NULL, seen_at INTEGER, accepted_at INTEGER, repaired_at INTEGER, repaired_row INTEGER NOT NULL
        ) STRICT
        """,
        "INSERT INTO clock VALUES (0, NULL, NULL, NULL, 0)",
        // How far the ledger had come when so much was served; one an hour.
        """
        CREATE TABLE serving_mark (
            served INTEGER PRIMARY KEY, reached_at INTEGER NOT NULL, signed_request INTEGER NOT NULL
        ) STRICT
        """,
    ]

    private static let limits = [
        // Redemptions, as they count for a limit, whose name is hashed. No number is ever given twice.
        """
        CREATE TABLE offer_use (
            id \(sql.lastingNumber),
            limit_key INTEGER NOT NULL,
            transaction_id BLOB NOT NULL,
            at INTEGER NOT NULL,
            refunded INTEGER NOT NULL,
            UNIQUE (limit_key, transaction_id)
        ) STRICT
        """,
        // How many there are of an offer in all.
        """
        CREATE TABLE offer_total (
            limit_key INTEGER PRIMARY KEY, outstanding INTEGER NOT NULL, redeemed INTEGER NOT NULL, refunded INTEGER NOT NULL
        ) STRICT
        """,
        // The redemptions that are counted, and under which names: 8 bytes each.
        """
        CREATE TABLE offer_redemption (
            bundle_id TEXT NOT NULL,
            transaction_id TEXT NOT NULL,
            version INTEGER NOT NULL,
            names BLOB NOT NULL,
            refunded INTEGER NOT NULL,
            PRIMARY KEY (bundle_id, transaction_id)
        )\(sql.ordered)
        """,
        // Signatures that count as long as they are outstanding. Those that a transaction has made lie together, as many as a page
        // takes; the number of a row is that of the first, and so is the nonce. They go when the last has lapsed. How each lies
        // there, ReservationEntry says.
        """
        CREATE TABLE reservation (
            id INTEGER PRIMARY KEY, until INTEGER NOT NULL, nonce BLOB NOT NULL, signatures BLOB NOT NULL
        ) STRICT
        """,
    ]

    private static let exposures = ["CREATE INDEX exposure_arm_by_campaign ON exposure_arm (bundle_id, campaign_id)"]

    private static let events = [
        // The last row of each source that was collected, and the number of erasures. Without rows, nothing was collected yet.
        "CREATE TABLE event_position (source TEXT NOT NULL PRIMARY KEY, position INTEGER NOT NULL) STRICT"
    ]

    /// Has a row once the file was copied to a database.
    private static let copiedAway = "CREATE TABLE copied_away (target TEXT NOT NULL, at INTEGER NOT NULL) STRICT"
}
