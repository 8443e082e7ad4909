import EligibilityRules
import OfferStore

/// Look-ups of histories within one transaction.
final class HistoryReading {
    private let transaction: Transaction
    /// The numbers of apps; nil if nothing is stored for the app. Each is queried once for each transaction.
    private var numbers: [AppPartition: Int64?] = [:]

    init(_ transaction: Transaction) { self.transaction = transaction }

    /// The results of queries, in order. Queries for a customer alone share one round trip.
    func records(of queries: [HistoryQuery]) throws -> [HistoryRecord] {
        let keys = try queries.map { query -> HistoryKey? in
            guard !query.isWhole, let customerID = query.customerAlone else { return nil }
            return try number(of: query.partition).map { HistoryKey($0, customerID) }
        }
        let found = try CustomerReading.records(of: Set(keys.compactMap(\.self)), transaction)
        return try zip(queries, keys).map { query, key in
            if let key { return found[key]?.shortened ?? HistoryRecord(.unknown) }
            return HistoryRecord(try history(of: query))
        }
    }

    /// Everything that belongs to the query's customer; only subscriptions if only summaries are read.
    func history(of query: HistoryQuery) throws -> StoredHistory {
        guard let app = try number(of: query.partition) else { return .unknown }
        let extent: StoredChain.Extent = query.isWhole ? .whole : .summary
        let reading = ChainReading(extent)
        let query = try query.renamed { try self.customer(named: HistoryKey(app, $0)) }
        let start = try query.transactionID.flatMap { try chain(of: HistoryKey(app, $0), reading) }
        var search = HistorySearch(query, extent, transaction: start)
        let customer = search.customerID.map { HistoryKey(app, $0) }
        let token = search.token.map { HistoryKey(app, $0) }
        let own = try customer.flatMap { key in try CustomerReading.records(of: [key], transaction)[key] }
        if let customer, extent == .whole { search.add(ofCustomer: try chains(.customer, [customer], reading)) }
        if let token { search.add(ofToken: try chains(.token, [token], reading)) }
        let accounts = search.accounts.map { HistoryKey(app, $0) }
        if !accounts.isEmpty { search.add(ofAccount: try chains(.account, accounts, reading)) }
        return search.history(own: own.map(HistoryDecoder().history) ?? .unknown)
    }

    private func number(of partition: AppPartition) throws -> Int64? {
        if let known = numbers[partition] { return known }
        let number = try transaction.number(of: partition)
        numbers[partition] = .some(number)
        return number
    }

    /// The customer that a name refers to.
    func customer(named name: HistoryKey) throws -> String {
        try transaction.run([CustomerReading.aliases([name])]).first!.first { $0.text(2) } ?? name.string
    }

    private func chain(of transactionID: HistoryKey, _ reading: ChainReading) throws -> StoredChain? {
        let rows = try transaction.run([
            reading.statement(.original, [transactionID]), reading.statement(ofTransactions: [transactionID]),
        ])
        return rows.lazy.compactMap { reading.chains($0).first?.chain }.first
    }

    private func chains(
        _ kind: ChainReading.Kind,
        _ keys: some Collection<HistoryKey>,
        _ reading: ChainReading
    ) throws -> [StoredChain] {
        reading.chains(try transaction.run([reading.statement(kind, keys)]).first!).map(\.chain)
    }
}
