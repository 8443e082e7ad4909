import EligibilityRules
import GRDB

/// Notes the subscription groups that the App Store names for products; each pair once a transaction.
struct SeenGroupWriting {
    private struct Key: Hashable {
        let app: Int64
        let product: ExactText
    }

    private let upsert: PreparedStatement
    private var noted: [Key: String] = [:]

    init(_ database: Database) throws {
        upsert = try PreparedStatement(
            database,
            """
            INSERT INTO seen_group (app, product_id, group_id, purchased_at) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE
            SET group_id = excluded.group_id, purchased_at = excluded.purchased_at
            WHERE group_id <> excluded.group_id AND purchased_at <= excluded.purchased_at
            """
        )
    }

    /// Notes what a chain says.
    mutating func note(_ chain: PurchaseChain, app: Int64) throws {
        guard let groupID = chain.groupID else { return }
        for transaction in chain.transactions {
            let key = Key(app: app, product: ExactText(transaction.productID))
            guard noted[key] != groupID else { continue }
            noted[key] = groupID
            upsert.bind(app, at: 1)
            upsert.bind(transaction.productID, at: 2)
            upsert.bind(groupID, at: 3)
            upsert.bind(transaction.purchasedAt.milliseconds, at: 4)
            try upsert.run()
        }
    }
}
