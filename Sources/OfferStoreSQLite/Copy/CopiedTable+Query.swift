import OfferStore

/// How the rows of each table of PostgreSQL are read from SQLite's files.
///
/// A table that is not listed here has the same name and columns in SQLite.
extension CopiedTable {
    private static let sources: [String: (from: String, expressions: [String: String])] = [
        "customer": (
            "customer", ["alias_of": "CASE WHEN length(subscriptions) = 0 THEN alias_of END", "place": "customer_id"]
        ),
        "event_position": ("event_position", ["chain": "0"]),
        "latest_signature": (
            "(SELECT 0 AS chain, max(signed_at) AS at FROM signed_request WHERE id > (SELECT repaired_row FROM clock)) WHERE at IS NOT NULL",
            [:]
        ),
        "offer_limit": ("offer_total", [:]),
        "offer_redemption": ("offer_redemption", ["is_refunded": "refunded", "staying_names": "names"]),
        "offer_tally": (offerTally, [:]),
        "offer_use": ("offer_use", ["is_refunded": "refunded"]),
        "purchase_transaction": (
            "purchase_transaction AS entry JOIN purchase_chain ON purchase_chain.id = chain", ["app": "entry.app"]
        ),
        "redemption": ("redemption AS entry JOIN purchase_chain ON purchase_chain.id = chain", ["app": "entry.app"]),
        "repaired_chain": ("clock WHERE repaired_row > 0", ["chain": "0", "last_row": "repaired_row"]),
        "serving_mark_chain": ("serving_mark", ["chain": "0", "last_row": "signed_request"]),
    ]

    private static let offerTally = """
        (SELECT signed_at / 60000 AS minute, 'signed_request' AS table_name, bundle_id, key_id AS outcome, 0 AS chain,
            sum(length(nonces) / 16) AS offers, max(signed_at) AS latest_at
        FROM signed_request GROUP BY 1, 3, 4
        UNION ALL
        SELECT refused_at / 60000, 'refused_request', bundle_id, coalesce(offer.value ->> 2, ''), 0, count(*), max(refused_at)
        FROM refused_request, json_each(offers) AS offer GROUP BY 1, 3, 4)
        """

    private static let histories: Set = [
        "app", "consumption_consent", "customer", "customer_hash", "notification", "notification_mark", "notification_retention",
        "progress",
        "purchase_chain", "purchase_event", "purchase_transaction", "receipt", "redemption",
        "refund_request", "seen_group",
    ]

    /// Whether the table is in the file of histories.
    var isOfHistories: Bool { Self.histories.contains(name) }

    /// Selects the table's columns.
    var query: String {
        let source = Self.sources[name] ?? (name, [:])
        let columns = columns.map { source.expressions[$0.name] ?? "\"\($0.name)\"" }
        return "SELECT \(columns.joined(separator: ", ")) FROM \(source.from)"
    }
}
