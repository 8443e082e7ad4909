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
        // Keeps a nonce from being used twice. `series`: the first eight bytes of the nonces of one request.
        "CREATE TABLE nonce_series (series BLOB NOT NULL PRIMARY KEY, signed_request INTEGER NOT NULL)\(sql.ordered)",
        // For reading: one row for each signature.
        """
        CREATE VIEW ledger AS
            SELECT substr(nonces, 16 * offer.key + 1, 16) AS nonce, signed_at, bundle_id, key_id,
                offer.value ->> 0 AS product_id, offer.value ->> 1 AS offer_id, form, caller, customer_id,
                application_username, coalesce(offer.value ->> 2, transaction_id) AS transaction_id, request_id,
                substr(digests, 32 * offer.key + 1, 32) AS digest, signed_request.id AS signed_request
            FROM signed_request, json_each(signed_request.offers) AS offer
        """,
        // Changed by a write that only shows whether writing works.
        "CREATE TABLE write_probe (count INTEGER NOT NULL) STRICT",
        "INSERT INTO write_probe VALUES (0)",
        // `served`: the milliseconds that services have served. The rest is what is known of the clock. The times of signatures
        // up to `repaired_row` do not count, because a wrong clock made them.
        """
        CREATE TABLE clock (
            served INTEGER NOT NULL, seen_at INTEGER, accepted_at INTEGER, repaired_at INTEGER, repaired_row INTEGER NOT NULL
        ) STRICT
        """,
        "INSERT INTO clock VALUES (0, NULL, NULL, NULL, 0)",
        // The last row of the ledger when `served` milliseconds had been served; one mark an hour.
        """
        CREATE TABLE serving_mark (
            served INTEGER PRIMARY KEY, reached_at INTEGER NOT NULL, signed_request INTEGER NOT NULL
        ) STRICT
        """,
    ]

    private static let limits = [
        // The redemptions that count under each name of a limit, which is hashed. No `id` is assigned twice.
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
        // The number of signatures and redemptions that count for each total.
        """
        CREATE TABLE offer_total (
            limit_key INTEGER PRIMARY KEY, outstanding INTEGER NOT NULL, redeemed INTEGER NOT NULL, refunded INTEGER NOT NULL
        ) STRICT
        """,
        // The redemptions that are counted. `names`: the names under which they count, 8 bytes each.
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
        // Outstanding signatures, which count for limits. A row has several signatures of one transaction, as many as fit a page;
        // `id` and `nonce` are those of the first. The row is deleted when its last signature has lapsed. `ReservationEntry`
        // describes its format.
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
