/// The customers whose rows a transaction rebuilds at its end, once each, however many changes concern them.
struct CustomerNews {
    private var touched: [HistoryKey: CustomerTimes] = [:]
    private var doubtful: Set<HistoryKey> = []

    /// Marks a customer's row for rebuilding, after a write or with new times.
    mutating func touch(_ customer: HistoryKey, _ times: CustomerTimes = CustomerTimes()) {
        touched[customer] = touched[customer]?.merged(with: times) ?? times
    }

    /// Notes a customer whose news was known. The row is rebuilt only if it is missing or unreadable.
    mutating func doubt(_ customer: HistoryKey) { doubtful.insert(customer) }

    /// Rebuilds the rows.
    ///
    /// - Parameter accounts: Apple accounts whose subscriptions were written. They affect the rows of other customers of the
    ///   account.
    consuming func rebuildSummaries(_ rows: some HistoryRows, accounts: Set<HistoryKey>) throws {
        doubtful.subtract(touched.keys)
        if !accounts.isEmpty || !doubtful.isEmpty {
            var keys = HistoryKeys()
            (keys.accounts, keys.customerSummaries) = (accounts, doubtful)
            let facts = try rows.find(keys)
            for owner in facts.owners { touch(owner) }
            let decoder = HistoryDecoder()
            for customer in doubtful where facts.customerSummaries[customer].map({ decoder.history($0).isDamaged }) ?? true {
                touch(customer)
            }
        }
        if !touched.isEmpty { try rows.rebuildSummaries(touched) }
    }
}
