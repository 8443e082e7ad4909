/// The customers whose rows a transaction has to draw anew, each once at its end, however many of its changes concern them.
struct CustomerNews {
    private var touched: [HistoryKey: CustomerTimes] = [:]
    private var doubtful: Set<HistoryKey> = []

    /// Something was written about a customer, or came that is to be kept beside the subscriptions.
    mutating func touch(_ customer: HistoryKey, _ times: CustomerTimes = CustomerTimes()) {
        touched[customer] = touched[customer]?.merged(with: times) ?? times
    }

    /// What came was known already: it only mends a row that is lost or cannot be read.
    mutating func doubt(_ customer: HistoryKey) { doubtful.insert(customer) }

    /// Draws them.
    ///
    /// - Parameter accounts: Apple accounts of which subscriptions were written. What others of the same account are told depends on them.
    consuming func draw(_ rows: some HistoryRows, accounts: Set<HistoryKey>) throws {
        doubtful.subtract(touched.keys)
        if !accounts.isEmpty || !doubtful.isEmpty {
            var keys = HistoryKeys()
            (keys.accounts, keys.drawings) = (accounts, doubtful)
            let facts = try rows.find(keys)
            for owner in facts.owners { touch(owner) }
            let decoder = HistoryDecoder()
            for customer in doubtful where facts.drawings[customer].map({ decoder.history($0).isDamaged }) ?? true {
                touch(customer)
            }
        }
        if !touched.isEmpty { try rows.draw(touched) }
    }
}
