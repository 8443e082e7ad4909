import EligibilityRules
import OfferStore

/// Reads and writes of subscriptions' receipts. A receipt's name is the UTF-8 of the original transaction id.
enum ReceiptRows {
    static func states(_ keys: Set<HistoryKey>) -> Statement {
        Statement(
            """
            SELECT key.app, key.id, shown_at, verified_at, due_at, reason
            FROM unnest($1::int8[], $2::text[]) AS key (app, id)
            JOIN receipt ON receipt.app = key.app AND NOT is_unverified AND name = convert_to(key.id, 'UTF8')
            """, keys.values)
    }

    static func states(_ rows: Rows) -> [HistoryKey: ReceiptState] {
        var states: [HistoryKey: ReceiptState] = [:]
        rows.forEach { row in
            states[HistoryKey(row.number(0), row.text(1))] = ReceiptState(
                shownAt: row.instant(2), verifiedAt: row.optionalInstant(3), dueAt: row.optionalInstant(4),
                reason: row.optionalText(5))
        }
        return states
    }

    static func statements(_ receipts: [HistoryKey: ReceiptNews]) -> [Statement] {
        receipts.sorted { $0.key < $1.key }.map { key, news in
            switch news {
            case .kept(let receipt, let now, let dueAt): keep(receipt, of: key, at: now, dueAt: dueAt)
            case .scheduled(let instant):
                Statement(
                    "UPDATE receipt SET due_at = $3 WHERE app = $1 AND NOT is_unverified AND name = $2",
                    [.number(key.app), .bytes(Array(key.string.utf8)), .instant(instant)])
            }
        }
    }

    private static func keep(_ receipt: KeptReceipt, of key: HistoryKey, at now: Instant, dueAt: Instant?) -> Statement {
        Statement(
            """
            INSERT INTO receipt (app, name, is_unverified, kept_at, shown_at, verified_at, due_at, sealed)
            VALUES ($1, $2, false, $3, $4, $5, $6, $7)
            ON CONFLICT (app, is_unverified, name) DO UPDATE
            SET kept_at = excluded.kept_at, shown_at = excluded.shown_at, verified_at = excluded.verified_at,
                due_at = excluded.due_at, failures = 0, reason = NULL, sealed = excluded.sealed
            """,
            [
                .number(key.app), .bytes(Array(key.string.utf8)), .instant(now), .instant(receipt.shownAt),
                .instant(receipt.verifiedAt), .instant(dueAt), .bytes(receipt.sealed),
            ])
    }
}
