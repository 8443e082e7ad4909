package import EligibilityRules

/// The part of a merge that decides which customer owns a subscription.
extension HistoryMerge {
    /// Binds a subscription to a customer, and moves it from another one only for a stronger proof.
    package mutating func bind(
        _ transactionID: String,
        to claim: CustomerClaim,
        partition: AppPartition,
        now: Instant
    ) throws -> BindingOutcome {
        let app = try rows.number(ofApp: partition)
        // Any transaction identifies its subscription. An unknown transaction is taken as the original one.
        let known = try draft.chain(ofTransaction: HistoryKey(app, transactionID))
        let empty = PurchaseChain(originalID: known?.chain.originalID ?? transactionID)
        let change = HistoryChange(partition: partition, claim: try resolved(claim, app), chains: [empty], receivedAt: now)
        switch try merge(empty, of: change, app, reportsDamage: true) {
        case .changed: return .bound
        case .taken(let previous): return .transferred(from: previous)
        case .unchanged: return .unchanged
        case .boundToAnotherCustomer: return .boundToAnotherCustomer
        }
    }

    /// Unbinds a subscription from its owner.
    package mutating func unbind(
        _ transactionID: String,
        from customerID: String,
        partition: AppPartition,
        now: Instant
    ) throws -> BindingOutcome {
        let app = try rows.number(ofApp: partition)
        guard let known = try draft.chain(ofTransaction: HistoryKey(app, transactionID)),
            let owner = try ownership(of: known.chain, known, nil, app).owner?.customerID
        else { return .unchanged }
        guard ExactText(owner) == ExactText(try draft.customer(named: HistoryKey(app, customerID))) else {
            return .boundToAnotherCustomer
        }
        try move(known, from: owner, to: nil, at: now, app, reportsDamage: true)
        return .unbound
    }

    /// Joins two customers: the first name becomes an alias of the second name's customer.
    package mutating func join(
        _ alias: String,
        into customerID: String,
        partition: AppPartition,
        now: Instant
    ) throws -> JoiningOutcome {
        let app = try rows.number(ofApp: partition)
        let name = HistoryKey(app, try draft.customer(named: HistoryKey(app, alias)))
        let customer = HistoryKey(app, try draft.customer(named: HistoryKey(app, customerID)))
        guard name != customer else { return .unchanged }
        guard name.text == ExactText(alias) else { return .aliasOfAnotherCustomer }
        var keys = HistoryKeys()
        keys.customerSummaries = [name, customer]
        let customerSummaries = try rows.find(keys).customerSummaries
        let (theirs, own) = (customerSummaries[name]?.times, customerSummaries[customer]?.times)
        let times = theirs.map { own?.joined(with: $0) ?? $0 } ?? own
        for chain in try draft.chains(ChainLink(.customer, name)) {
            guard !chain.isDamaged else { throw chain.damage }
            let owner = CustomerClaim(customer.string, chain.owner?.proof ?? .claimed)
            try write(ChainRow(chain.chain, owner: owner, at: now), app)
        }
        try rows.alias(name, of: customer.string, times ?? CustomerTimes())
        // Either may have redeemed an offer that was signed for the other.
        for chain in try draft.chains(ChainLink(.customer, customer)) {
            draft.change(customer.with(chain.chain.originalID)) { $0.isSearchedAgain = true }
        }
        for touched in [name, customer] { customers.touch(touched) }
        return .joined
    }

    /// Returns a claim with an alias replaced by its customer.
    mutating func resolved(_ claim: CustomerClaim, _ app: Int64) throws -> CustomerClaim {
        CustomerClaim(try draft.customer(named: HistoryKey(app, claim.customerID)), claim.proof)
    }

    /// Moves a chain to the change's customer if its proof is stronger. Returns the previous owner; nil if the chain stays.
    mutating func take(
        _ statement: PurchaseChain,
        _ known: StoredChain?,
        _ ownership: ChainOwnership,
        _ change: HistoryChange,
        _ app: Int64,
        reportsDamage: Bool
    ) throws -> String? {
        guard let owner = ownership.owner?.customerID, ownership.isAnother(change.claim),
            change.terms.transfers || !ownership.refuses(change.claim)
        else { return nil }
        // A chain without an owner of its own has that of its predecessor.
        let start = known?.owner == nil ? try predecessor(of: statement, known, app) : known
        guard let start,
            let moved = try move(start, from: owner, to: change.claim, at: change.receivedAt, app, reportsDamage: reportsDamage)
        else { return nil }
        for chain in moved { note(transferOf: chain, from: owner, change) }
        return owner
    }

    /// Moves a customer's subscription with its predecessors and successors.
    ///
    /// Returns the moved chains; nil if they stay, because a record is unreadable and `reportsDamage` is false.
    @discardableResult private mutating func move(
        _ chain: StoredChain,
        from owner: String,
        to claim: CustomerClaim?,
        at now: Instant,
        _ app: Int64,
        reportsDamage: Bool
    ) throws -> [PurchaseChain]? {
        let group = try related(to: chain, of: owner, app)
        if let damaged = group.first(where: \.isDamaged) {
            guard reportsDamage else { return nil }
            throw damaged.damage
        }
        for member in group {
            try write(ChainRow(member.chain, owner: claim, at: now), app)
            if claim != nil { draft.change(HistoryKey(app, member.chain.originalID)) { $0.isSearchedAgain = true } }
        }
        customers.touch(HistoryKey(app, owner))
        return group.map(\.chain)
    }

    /// A customer's subscription with its predecessors and successors, as far as they belong to the customer.
    private mutating func related(to chain: StoredChain, of owner: String, _ app: Int64) throws -> [StoredChain] {
        var first = chain
        var seen: Set<ExactText> = []
        while seen.insert(ExactText(first.chain.originalID)).inserted, let previous = first.chain.previousOriginalID,
            let before = try draft.chain(HistoryKey(app, previous)), before.isOf(owner)
        {
            first = before
        }
        var (rest, found): ([StoredChain], [StoredChain]) = ([first], [])
        seen = []
        while let next = rest.popLast() {
            guard seen.insert(ExactText(next.chain.originalID)).inserted else { continue }
            found.append(next)
            let successors = try draft.chains(ChainLink(.predecessor, HistoryKey(app, next.chain.originalID)))
            rest += successors.filter { $0.mayBeOf(owner) }
        }
        return found
    }

    /// Whether a chain stays with a customer other than the change's.
    mutating func isKept(_ chain: PurchaseChain, from change: HistoryChange, _ app: Int64) throws -> Bool {
        guard !change.terms.transfers else { return false }
        let known = try draft.chain(HistoryKey(app, chain.originalID))
        return try ownership(of: chain, known, change.claim, app).refuses(change.claim)
    }

    /// The owner of a chain. If another customer claims it, also the customers that its account token names.
    mutating func ownership(
        of statement: PurchaseChain,
        _ known: StoredChain?,
        _ claim: CustomerClaim?,
        _ app: Int64
    ) throws -> ChainOwnership {
        var ownership = ChainOwnership(known, predecessor: try predecessor(of: statement, known, app))
        guard ownership.isAnother(claim) else { return ownership }
        let token = (known?.chain.merged(with: statement) ?? statement).accountToken
        guard let token else { return ownership }
        for name in ChainOwnership.names(ofToken: token) {
            ownership.tokenNames.insert(ExactText(try draft.customer(named: HistoryKey(app, name))))
        }
        for other in try draft.chains(ChainLink(.token, HistoryKey(app, token)))
        where other.owner?.proof == .vouched && ExactText(other.chain.originalID) != ExactText(statement.originalID) {
            ownership.tokenNames.formUnion(other.customerID.map { [ExactText($0)] } ?? [])
        }
        return ownership
    }

    private mutating func predecessor(of statement: PurchaseChain, _ known: StoredChain?, _ app: Int64) throws -> StoredChain? {
        guard let id = ChainOwnership.predecessor(of: statement, known) else { return nil }
        return try draft.chain(HistoryKey(app, id))
    }
}

extension StoredChain {
    fileprivate var damage: StoreError {
        StoreError(.damaged, "the record of \(chain.originalID) cannot be read; supply the history anew")
    }
}
