import EligibilityRules
import OfferStore
import OfferStoreSQL

struct ChainReading {
    /// The columns that chains are found by.
    enum Kind: String {
        case original = "original_transaction_id"
        case customer = "customer_id"
        case token = "app_account_token"
        case account = "app_transaction_id"
        case previous = "previous_original_transaction_id"
    }

    private let extent: StoredChain.Extent
    private let decoder = ChainRecord.Decoder()

    init(_ extent: StoredChain.Extent) { self.extent = extent }

    private var columns: String {
        """
        key.app, key.id, chain.original_transaction_id, chain.customer_id, chain.binding_proof, chain.updated_at, \
        chain.\(extent == .summary ? "gist" : "record")
        """
    }

    /// Finds the chains with these keys.
    ///
    /// If only summaries are read, only subscriptions are found, except by original or previous transaction.
    func statement(_ kind: Kind, _ keys: some Collection<HistoryKey>) -> SQLStatement {
        SQLStatement(
            """
            SELECT \(columns) FROM unnest($1::int8[], $2::text[]) AS key (app, id)
            JOIN purchase_chain AS chain ON chain.app = key.app AND chain.\(kind.rawValue) = key.id
            \(extent == .summary && kind != .original && kind != .previous ? "WHERE is_subscription" : "")
            """, keys.unnested)
    }

    /// Finds the chains of transactions that are not original.
    func statement(ofTransactions keys: some Collection<HistoryKey>) -> SQLStatement {
        SQLStatement(
            """
            SELECT \(columns) FROM unnest($1::int8[], $2::text[]) AS key (app, id)
            JOIN purchase_transaction AS transaction ON transaction.app = key.app AND transaction.transaction_id = key.id
            JOIN purchase_chain AS chain
                ON chain.app = key.app AND chain.original_transaction_id = transaction.original_transaction_id
            """, keys.unnested)
    }

    /// The chain in each row, with the key that found it.
    func chains(_ rows: Rows) -> [(key: HistoryKey, chain: StoredChain)] {
        rows.map { row in
            (
                HistoryKey(row.number(0), row.text(1)),
                row.withBytes(6) { bytes in
                    StoredChain(
                        // Not used here: PostgreSQL's table identifies a chain by its original transaction id.
                        id: 0, originalID: ChainRecord.OriginalID(row.text(2)), owner: row.claim(customer: 3, proof: 4),
                        updatedAt: row.instant(5), bytes: bytes, decoder)
                }
            )
        }
    }

    /// The chains found with each key.
    func lists(_ rows: Rows) -> [HistoryKey: [StoredChain]] {
        chains(rows).reduce(into: [:]) { $0[$1.key, default: []].append($1.chain) }
    }
}

extension Row {
    /// The owner of a chain, from its two columns.
    func claim(customer: Int32, proof: Int32) -> CustomerClaim? {
        CustomerClaim(optionalText(customer), BindingProof(rawValue: optionalNumber(proof) ?? 0) ?? .claimed)
    }
}
