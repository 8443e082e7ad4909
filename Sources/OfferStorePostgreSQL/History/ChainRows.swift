import EligibilityRules
import OfferStore
import OfferStoreSQL

/// The writes of chains.
enum ChainRows {
    /// The statements for all chains, in the order of execution.
    static func statements(_ news: [ChainNews]) -> [SQLStatement] {
        let news = news.sorted { $0.key < $1.key }
        var statements: [SQLStatement] = []
        let written = news.compactMap { news in news.row.map { (news.key, $0) } }
        if !written.isEmpty { statements.append(upsert(written)) }
        let changed = news.filter { $0.row != nil && $0.id != nil }.map(\.key)
        if !changed.isEmpty {
            // The redemptions are to be counted again, because limits may have counted them for another account, or before a
            // refund.
            statements.append(update("version = version + 1", changed))
        }
        let searchedAgain = news.filter(\.isSearchedAgain).map(\.key)
        if !searchedAgain.isEmpty { statements.append(update("searched_at = NULL", searchedAgain, "AND nonce IS NULL")) }
        let transactions = news.flatMap { news in news.transactions.map { (news.key, $0) } }
        if !transactions.isEmpty { statements.append(index(transactions)) }
        let redemptions = news.flatMap { news in news.redemptions.map { (news.key, $0) } }
        if !redemptions.isEmpty { statements.append(note(redemptions)) }
        return statements
    }

    private static func upsert(_ chains: [(key: HistoryKey, row: ChainRow)]) -> SQLStatement {
        let rows = chains.map(\.row)
        return SQLStatement(
            """
            INSERT INTO purchase_chain (app, original_transaction_id, customer_id, binding_proof, app_account_token,
                previous_original_transaction_id, app_transaction_id, is_subscription, updated_at, poll_at, gist, record)
            SELECT * FROM unnest($1::int8[], $2::text[], $3::text[], $4::int8[], $5::text[], $6::text[], $7::text[],
                $8::boolean[], $9::int8[], $10::int8[], $11::bytea[], $12::bytea[])
            ON CONFLICT (app, original_transaction_id) DO UPDATE
            SET customer_id = excluded.customer_id, binding_proof = excluded.binding_proof,
                app_account_token = excluded.app_account_token,
                previous_original_transaction_id = excluded.previous_original_transaction_id,
                app_transaction_id = excluded.app_transaction_id, is_subscription = excluded.is_subscription,
                updated_at = excluded.updated_at, poll_at = excluded.poll_at, gist = excluded.gist, record = excluded.record
            """,
            chains.map(\.key).unnested + [
                .texts(rows.map { $0.owner?.customerID }), .numbers(rows.map { $0.owner?.proof.rawValue }),
                .texts(rows.map(\.chain.accountToken)), .texts(rows.map(\.chain.previousOriginalID)),
                .texts(rows.map(\.chain.appTransactionID)), .flags(rows.map(\.isSubscription)),
                .numbers(rows.map(\.updatedAt.milliseconds)), .numbers(rows.map { $0.pollAt?.milliseconds }),
                .blobs(rows.map(\.summary)), .blobs(rows.map(\.record)),
            ])
    }

    /// Updates the redemptions of chains.
    private static func update(_ change: String, _ chains: [HistoryKey], _ condition: String = "") -> SQLStatement {
        SQLStatement(
            """
            UPDATE redemption SET \(change) FROM unnest($1::int8[], $2::text[]) AS key (app, id)
            WHERE redemption.app = key.app AND original_transaction_id = key.id \(condition)
            """, chains.unnested)
    }

    private static func index(_ transactions: [(chain: HistoryKey, id: String)]) -> SQLStatement {
        SQLStatement(
            """
            INSERT INTO purchase_transaction (app, original_transaction_id, transaction_id)
            SELECT * FROM unnest($1::int8[], $2::text[], $3::text[]) ON CONFLICT DO NOTHING
            """, transactions.map(\.chain).unnested + [.texts(transactions.map(\.id))])
    }

    private static func note(_ redemptions: [(chain: HistoryKey, record: RedemptionRecord)]) -> SQLStatement {
        let records = redemptions.map(\.record)
        let copies = redemptions.flatMap { chain, record in
            record.otherIDs.map { (app: chain.app, id: record.transactionID, other: $0) }
        }
        return SQLStatement(
            """
            INSERT INTO redemption (app, original_transaction_id, transaction_id, product_id, offer_id, purchased_at)
            SELECT * FROM unnest($1::int8[], $2::text[], $3::text[], $4::text[], $5::text[], $6::int8[])
                AS news (app, chain, id, product, offer, at)
            WHERE NOT EXISTS (
                SELECT 1 FROM unnest($7::int8[], $8::text[], $9::text[]) AS copy (app, id, other)
                JOIN redemption ON redemption.app = copy.app AND redemption.transaction_id = copy.other
                WHERE copy.app = news.app AND copy.id = news.id)
            ON CONFLICT DO NOTHING
            """,
            redemptions.map(\.chain).unnested + [
                .texts(records.map(\.transactionID)), .texts(records.map(\.productID)), .texts(records.map(\.offerID)),
                .numbers(records.map(\.purchasedAt.milliseconds)), .numbers(copies.map(\.app)), .texts(copies.map(\.id)),
                .texts(copies.map(\.other)),
            ])
    }
}
