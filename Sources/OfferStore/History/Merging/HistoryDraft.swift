import EligibilityRules

/// Histories as they will be once a transaction is done: the stored rows, overlaid by what it is going to write.
struct HistoryDraft<Rows: HistoryRows> {
    let rows: Rows
    /// The writes to make.
    private(set) var news = HistoryNews()
    private var asked = HistoryKeys()
    private var facts = HistoryFacts()
    /// The keys of the chains that a link leads to, or led to before this transaction changed them.
    private var linked: [ChainLink: [HistoryKey]] = [:]
    /// The index of each chain in `news.chains`.
    private var places: [HistoryKey: Int] = [:]

    init(_ rows: Rows) { self.rows = rows }

    /// Queries the store for keys not queried yet, in one call.
    mutating func load(_ keys: HistoryKeys) throws {
        let keys = keys.subtracting(asked)
        guard !keys.isEmpty else { return }
        asked.formUnion(keys)
        let found = try rows.find(keys)
        facts.names.merge(found.names) { $1 }
        facts.receipts.merge(found.receipts) { known, _ in known }
        facts.groups.merge(found.groups) { known, _ in known }
        for (key, chain) in found.chains { learn(chain, key) }
        for (key, chain) in found.transactions {
            learn(chain, key.with(chain.chain.originalID))
            facts.transactions[key] = chain
        }
        for (key, chains) in found.successors { learn(chains, ChainLink(.predecessor, key)) }
        for (key, chains) in found.tokens { learn(chains, ChainLink(.token, key)) }
        for (key, chains) in found.customers { learn(chains, ChainLink(.customer, key)) }
    }

    private mutating func load(_ kind: WritableKeyPath<HistoryKeys, Set<HistoryKey>>, _ key: HistoryKey) throws {
        guard !asked[keyPath: kind].contains(key) else { return }
        var keys = HistoryKeys()
        keys[keyPath: kind] = [key]
        try load(keys)
    }

    // Keeps a chain that is known already: this transaction may have changed it, and is then ahead of the store.
    private mutating func learn(_ chain: StoredChain, _ key: HistoryKey) {
        asked.chains.insert(key)
        if facts.chains[key] == nil { facts.chains[key] = chain }
    }

    private mutating func learn(_ chains: [StoredChain], _ link: ChainLink) {
        for chain in chains {
            let key = link.key.with(chain.chain.originalID)
            learn(chain, key)
            linked[link, default: []].append(key)
        }
    }

    /// The customer that a name refers to.
    mutating func customer(named name: HistoryKey) throws -> String {
        if let known = facts.names[name] { return known }
        try load(\.names, name)
        return facts.names[name] ?? name.string
    }

    /// The chain of an original transaction.
    mutating func chain(_ key: HistoryKey) throws -> StoredChain? {
        if let known = facts.chains[key] { return known }
        try load(\.chains, key)
        return facts.chains[key]
    }

    /// The chain of any transaction.
    mutating func chain(ofTransaction key: HistoryKey) throws -> StoredChain? {
        try load(\.transactions, key)
        return facts.transactions[key].flatMap { facts.chains[key.with($0.chain.originalID)] }
    }

    /// The chains that a link leads to.
    mutating func chains(_ link: ChainLink) throws -> [StoredChain] {
        try load(link.question, link.key)
        var seen: Set<HistoryKey> = []
        return (linked[link] ?? []).compactMap { key in
            // If a record cannot be read, the columns by which the store found it decide.
            guard seen.insert(key).inserted, let chain = facts.chains[key], chain.isDamaged || link.leads(to: chain) else {
                return nil
            }
            return chain
        }
    }

    /// The state of the receipt of an original transaction.
    mutating func receipt(_ key: HistoryKey) throws -> ReceiptState? {
        if let known = facts.receipts[key] { return known }
        try load(\.receipts, key)
        return facts.receipts[key]
    }

    /// The group last noted for a product.
    mutating func group(ofProduct key: HistoryKey) throws -> SeenGroup? {
        if let known = facts.groups[key] { return known }
        try load(\.products, key)
        return facts.groups[key]
    }

    /// Writes a chain in place of the present one.
    mutating func write(_ row: ChainRow, _ app: Int64) {
        let key = HistoryKey(app, row.chain.originalID)
        change(key) { $0.row = row }
        let chain = StoredChain(id: facts.chains[key]?.id, owner: row.owner, updatedAt: row.updatedAt, chain: row.chain)
        facts.chains[key] = chain
        for link in ChainLink.all(of: chain, app) { linked[link, default: []].append(key) }
    }

    /// Changes what the transaction writes about a chain.
    mutating func change(_ key: HistoryKey, _ body: (inout ChainNews) -> Void) {
        if places[key] == nil {
            places[key] = news.chains.count
            news.chains.append(ChainNews(key, id: facts.chains[key]?.id))
        }
        body(&news.chains[places[key]!])
    }

    /// Records a change that makes an event.
    mutating func note(_ event: PurchaseEvent, at now: Instant) { news.events.append((event, now)) }

    /// Records a question about a refund.
    mutating func note(_ request: RefundRequest, _ app: Int64) { news.refunds.append((app, request)) }

    /// Notes a group in place of the one noted for its product.
    mutating func note(_ group: SeenGroup, _ app: Int64) {
        let key = HistoryKey(app, group.productID)
        facts.groups[key] = group
        news.groups[key] = group
    }

    /// Stores a receipt in place of the present one.
    mutating func keep(_ receipt: KeptReceipt, at now: Instant, dueAt: Instant?, _ app: Int64) {
        let key = HistoryKey(app, receipt.originalTransactionID)
        facts.receipts[key] = ReceiptState(
            shownAt: receipt.shownAt, verifiedAt: receipt.verifiedAt, dueAt: dueAt, reason: nil)
        news.receipts[key] = .kept(receipt, at: now, dueAt: dueAt)
    }

    /// Sets when to verify the receipt of an original transaction with the App Store.
    mutating func scheduleReceipt(_ key: HistoryKey, at instant: Instant?) {
        guard let known = facts.receipts[key] else { return }
        facts.receipts[key] = ReceiptState(
            shownAt: known.shownAt, verifiedAt: known.verifiedAt, dueAt: instant, reason: known.reason)
        if case .kept(let receipt, let now, _) = news.receipts[key] {
            news.receipts[key] = .kept(receipt, at: now, dueAt: instant)
        } else {
            news.receipts[key] = .scheduled(instant)
        }
    }
}
