import EligibilityRules

/// The customers whose rows a transaction has to draw anew, each once at its end, however many of its changes concern them.
struct CustomerRenewals {
    private struct Key: Hashable {
        let app: Int64
        let customer: ExactText
    }

    /// When a history was supplied that shows no subscription, for those of whom one was.
    private var touched: [Key: Instant?] = [:]
    private var doubtful: Set<Key> = []

    /// Something was written about a customer, or a history supplied that shows no subscription.
    mutating func touch(_ customerID: String, app: Int64, suppliedAt: Instant? = nil) {
        let key = Key(app: app, customer: ExactText(customerID))
        touched[key, default: nil] = suppliedAt ?? touched[key, default: nil]
    }

    /// What came was known already: it only mends a row that is lost or cannot be read.
    mutating func doubt(_ customerID: String, app: Int64) {
        doubtful.insert(Key(app: app, customer: ExactText(customerID)))
    }

    /// Draws them.
    mutating func draw(_ customers: CustomerTable) throws {
        for (key, suppliedAt) in touched {
            try customers.renew(key.customer.string, app: key.app, suppliedAt: suppliedAt)
        }
        for key in doubtful where touched[key] == nil {
            let known = try customers.history(key.customer.string, app: key.app)
            if let known, !known.isDamaged { continue }
            try customers.renew(key.customer.string, app: key.app, suppliedAt: nil)
        }
        self = CustomerRenewals()
    }
}
