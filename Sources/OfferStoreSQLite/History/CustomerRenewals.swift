import EligibilityRules
import OfferStore

/// The customers whose rows a transaction has to draw anew, each once at its end, however many of its changes concern them.
struct CustomerRenewals {
    private struct Key: Hashable {
        let app: Int64
        let customer: ExactText
    }

    private struct News {
        /// When a history was supplied that shows no subscription; nil if none was.
        var suppliedAt: Instant?
        /// When the whole account was shown; nil if it was not.
        var completeAt: Instant?
    }

    private var touched: [Key: News] = [:]
    private var doubtful: Set<Key> = []

    /// Something was written about a customer, or a history supplied that shows no subscription, or the whole account.
    mutating func touch(_ customerID: String, app: Int64, suppliedAt: Instant? = nil, completeAt: Instant? = nil) {
        let key = Key(app: app, customer: ExactText(customerID))
        var news = touched[key] ?? News()
        news.suppliedAt = suppliedAt ?? news.suppliedAt
        news.completeAt = completeAt ?? news.completeAt
        touched[key] = news
    }

    /// What came was known already: it only mends a row that is lost or cannot be read.
    mutating func doubt(_ customerID: String, app: Int64) {
        doubtful.insert(Key(app: app, customer: ExactText(customerID)))
    }

    /// Draws them.
    mutating func draw(_ customers: CustomerTable) throws {
        for (key, news) in touched {
            try customers.renew(
                key.customer.string, app: key.app, suppliedAt: news.suppliedAt, completeAt: news.completeAt)
        }
        for key in doubtful where touched[key] == nil {
            let known = try customers.history(key.customer.string, app: key.app)
            if let known, !known.isDamaged { continue }
            try customers.renew(key.customer.string, app: key.app, suppliedAt: nil, completeAt: nil)
        }
        self = CustomerRenewals()
    }
}
