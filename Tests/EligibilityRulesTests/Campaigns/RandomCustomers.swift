import TestRandomness

@testable import EligibilityRules

/// Customers with random histories and attributes, with every contradiction that sources could come up with.
enum RandomCustomers {
    static let now = Month.start(7, day: 3)

    static func context(seed: UInt64) -> CampaignContext {
        var random = SplitMix64(seed: seed ^ 0x5eed)
        var statements = RandomStatements(seed: seed)
        let count = random.below(8)
        let chains = count == 0 ? [] : statements.all().flatMap(\.chains).map { sold($0, &random) }
        let customer = Customer(
            history: PurchaseHistory(chains), completeness: .partial, catalogue: Shop.catalogue,
            policy: EligibilityPolicy(environment: random.any(of: [.production, .production, .sandbox])), now: now)
        let facts = CustomerFacts(of: customer, historyUpdatedAt: nil)
        return CampaignContext(
            facts: facts, attributes: Attributes(attributes(&random)),
            identity: BucketingIdentity(
                customerID: random.once(in: 8) ? nil : "u-\(seed)", appTransactionID: random.once(in: 3) ? nil : "70\(seed)",
                originalTransactionID: BucketingIdentity(customerID: nil, facts: facts).originalTransactionID),
            placement: random.any(of: [nil, nil, "paywall", "settings", "retention"]))
    }

    private static func sold(_ chain: PurchaseChain, _ random: inout SplitMix64) -> PurchaseChain {
        let transactions = chain.transactions.map { transaction in
            var copy = transaction
            copy.sale = random.any(of: [
                nil, Sale(price: 9990, currency: "USD", storefront: "USA"), Sale(price: 0, storefront: "DEU"), Sale(price: 4990),
            ])
            return copy
        }
        return chain.with(transactions: transactions)
    }

    static func attributes(_ random: inout SplitMix64) -> [String: ConditionValue] {
        var attributes: [String: ConditionValue] = [:]
        for name in ["country", "version", "level", "beta", "joined"] where !random.once(in: 3) {
            attributes[name] = value(of: name, &random)
        }
        return attributes
    }

    static func value(of name: String, _ random: inout SplitMix64) -> ConditionValue {
        // Now and then of another type than the rules expect.
        if random.once(in: 8) { return random.any(of: ["", "US", 3, true, .number(.nan), .number(.infinity), ["US"]]) }
        switch name {
        case "country": return random.any(of: ["US", "us", "CA", "USA", "\u{E9}", "e\u{301}"])
        case "version": return random.any(of: ["2", "2.1", "2.1.0-beta.2", "2.1.0-beta.10", "10.0", "2.1.0+7", "x", "2..1"])
        case "level": return random.any(of: [0, 1, 2.5, 3, -1, 10])
        case "beta": return random.any(of: [true, false])
        default: return random.any(of: ["2026-06-20", "2026-07-01T00:00:00Z", "2026-13-01", 1_782_000_000_000, -5])
        }
    }
}
