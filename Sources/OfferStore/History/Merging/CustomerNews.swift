import EligibilityRules

/// The customers whose rows a transaction has to draw anew, each once at its end, however many of its changes concern them.
struct CustomerNews {
    private struct Key: Hashable {
        let app: Int64
        let customer: ExactText
    }

    private var touched: [Key: CustomerTimes] = [:]
    private var doubtful: Set<Key> = []

    /// Something was written about a customer, or came that is to be kept beside the subscriptions.
    mutating func touch(_ customerID: String, app: Int64, _ times: CustomerTimes = CustomerTimes()) {
        let key = Key(app: app, customer: ExactText(customerID))
        touched[key] = touched[key]?.merged(with: times) ?? times
    }

    /// What came was known already: it only mends a row that is lost or cannot be read.
    mutating func doubt(_ customerID: String, app: Int64) {
        doubtful.insert(Key(app: app, customer: ExactText(customerID)))
    }

    /// Draws them.
    mutating func draw(_ rows: some HistoryRows) throws {
        for (key, times) in touched { try rows.draw(key.customer.string, app: key.app, times) }
        for key in doubtful where touched[key] == nil {
            if let known = try rows.customer(key.customer.string, app: key.app), !known.isDamaged { continue }
            try rows.draw(key.customer.string, app: key.app, CustomerTimes())
        }
        self = CustomerNews()
    }
}
