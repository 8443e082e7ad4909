package import AppStore
package import EligibilityRules
import OfferSigning
package import OfferStore

/// Takes in purchases from any source: it verifies what is signed, merges the purchases, and returns the outcome.
package struct HistoryIntake: Sendable {
    package let store: any HistoryStore
    package let reader: SignedDataReader
    package let system: SystemEnvironment
    package var observer: (any HistoryObserver)?
    /// Seals the receipts that are to be kept; nil if no receipts are kept.
    package var keeper: ReceiptKeeper?
    /// Counts redemptions towards limits at once; nil if they are counted in the background only.
    package var counter: RedemptionCounter?
    /// The log in which it is recorded that a subscription was taken from a customer; nil if the caller records the intake
    /// itself.
    package var audit: AuditLog?

    package init(
        store: any HistoryStore,
        reader: SignedDataReader,
        system: SystemEnvironment,
        observer: (any HistoryObserver)? = nil,
        counter: RedemptionCounter? = nil,
        audit: AuditLog? = nil,
        keeper: ReceiptKeeper? = nil
    ) {
        self.audit = audit
        self.keeper = keeper
        self.counter = counter
        self.store = store
        self.reader = reader
        self.system = system
        self.observer = observer
    }

    /// Merges StoreKit 2 data.
    ///
    /// An item that is not authentic or that belongs to another customer is left out, and the report names it.
    package func take(
        signedTransactions: [String],
        signedRenewalInfos: [String] = [],
        customerID: String?,
        from supplier: Supplier,
        _ app: App
    ) async throws(StoreError) -> HistoryReport {
        var report = HistoryReport()
        var chains: [(field: String, index: Int, app: App, chain: PurchaseChain)] = []
        func read(
            _ field: String,
            _ texts: [String],
            _ decode: (String, AppIdentity) throws(SignedDataError) -> PurchaseChain
        ) {
            for (index, text) in texts.enumerated() {
                do {
                    let (app, chain) = try app.reading { identity throws(SignedDataError) in try decode(text, identity) }
                    chains.append((field, index, app, chain))
                } catch {
                    report.reject(field, index, code: error.code.rawValue, error.detail)
                }
            }
        }
        read("signedTransactions", signedTransactions) { text, identity throws(SignedDataError) in
            try reader.transaction(text, for: identity)
        }
        read("signedRenewalInfos", signedRenewalInfos) { text, identity throws(SignedDataError) in
            try reader.renewalInfo(text, for: identity)
        }
        // An empty list says that the customer has bought nothing. A list in which every item is forged says nothing about the
        // customer.
        guard !chains.isEmpty || (customerID != nil && report.rejected.isEmpty) else { return report }
        // Each environment is merged separately. An empty list is about the app's own environment.
        for app in [app, app.sandbox].compactMap(\.self) {
            let own = chains.filter { $0.app === app }
            guard !own.isEmpty || (chains.isEmpty && app.additionalEnvironment == nil) else { continue }
            let outcomes = try await merge(own.map(\.chain), customerID: customerID, from: supplier, app)
            for (element, outcome) in zip(own, outcomes) {
                switch outcome {
                case .changed, .taken: report.accepted += 1
                case .unchanged: report.unchanged += 1
                case .boundToAnotherCustomer:
                    report.reject(
                        element.field, element.index, code: "bound-to-another-customer",
                        "the subscription belongs to another customer of this app")
                }
            }
        }
        return report
    }

    /// Merges the signed transactions that a client sends with a request.
    ///
    /// If any of them belongs to another customer, none is merged. The result then names only the Apple account that bought them.
    func show(
        _ signedTransactions: [String],
        _ customerID: String?,
        from supplier: Supplier,
        _ app: App
    ) async throws -> ShownPurchase {
        let chains = try chains(signedTransactions, app)
        let outcomes = try await merge(chains, customerID: customerID, from: supplier, app, isAllOrNothing: true)
        guard outcomes.contains(.boundToAnotherCustomer) else { return .own(transactionID: chains.first?.originalID) }
        guard let account = chains.compactMap(\.appTransactionID).first else { throw HistoryError.boundToAnotherCustomer }
        return .others(appTransactionID: account)
    }

    /// Returns the `appTransactionId` that an AppTransaction proves.
    func appTransactionID(in signedAppTransaction: String, _ app: App) throws -> String {
        try read("signedAppTransaction", app) { identity throws(SignedDataError) in
            try reader.appTransactionID(signedAppTransaction, for: identity)
        }
    }

    private func chains(_ signedTransactions: [String], _ app: App) throws -> [PurchaseChain] {
        var chains: [PurchaseChain] = []
        for (index, text) in signedTransactions.enumerated() {
            chains.append(
                try read("signedTransactions[\(index)]", app) { identity throws(SignedDataError) in
                    try reader.transaction(text, for: identity)
                })
        }
        return chains
    }

    private func read<Value>(
        _ field: String,
        _ app: App,
        _ decode: (AppIdentity) throws(SignedDataError) -> Value
    ) throws -> Value {
        do throws(SignedDataError) {
            return try decode(app.identity)
        } catch {
            let isElsewhere = error.code == .environmentMismatch && app.sandbox != nil
            throw HistoryError.signedDataRejected(
                field: field, code: error.code.rawValue,
                detail: error.detail + (isElsewhere ? #"; for the Sandbox say "environment": "Sandbox" in the request"# : ""))
        }
    }

    /// Merges a whole history, such as that of a receipt.
    ///
    /// - Parameters:
    ///   - showsAccount: whether the history contains everything that an Apple account has bought.
    ///   - environment: where the purchases were made; nil if that is not known.
    ///   - receipts: the receipts that show the history, sealed. They are kept.
    ///   - answersPoll: whether the history is the App Store's answer to a question of the poller.
    package func take(
        _ history: PurchaseHistory,
        showsAccount: Bool,
        in environment: PurchaseEnvironment?,
        receipts: [KeptReceipt] = [],
        answersPoll: Bool = false,
        customerID: String?,
        from supplier: Supplier,
        _ app: App
    ) async throws(StoreError) -> HistoryReport {
        var report = HistoryReport()
        let app = app.taking(environment)
        let extent = HistoryChange.Extent(showsAccount: showsAccount, from: environment, of: app)
        let outcomes = try await merge(
            history.chains, customerID: customerID, from: supplier, app, extent: extent, receipts: receipts,
            answersPoll: answersPoll)
        for (index, outcome) in outcomes.enumerated() {
            switch outcome {
            case .changed, .taken: report.accepted += 1
            case .unchanged: report.unchanged += 1
            case .boundToAnotherCustomer:
                report.reject(
                    "chains", index, code: "bound-to-another-customer",
                    "\(history.chains[index].originalID) belongs to another customer of this app")
            }
        }
        return report
    }

    /// Binds a subscription to a customer, even if no purchase of the subscription is known yet.
    func bind(_ originalTransactionID: String, to claim: CustomerClaim, _ app: App) async throws -> BindingOutcome {
        try await store.bind(
            originalTransactionID: originalTransactionID, to: claim, partition: app.partition, now: system.now())
    }

    /// Merges two customers, so that the alias stands for the other one.
    func join(_ alias: String, into customerID: String, _ app: App) async throws -> JoiningOutcome {
        let outcome = try await store.join(alias: alias, into: customerID, partition: app.partition, now: system.now())
        if outcome == .joined { await counter?.countJoined() }
        return outcome
    }

    /// Unbinds a subscription from a customer.
    func unbind(_ originalTransactionID: String, from customerID: String, _ app: App) async throws -> BindingOutcome {
        try await store.unbind(
            originalTransactionID: originalTransactionID, from: customerID, partition: app.partition, now: system.now())
    }

    private func merge(
        _ chains: [PurchaseChain],
        customerID: String?,
        from supplier: Supplier,
        _ app: App,
        isAllOrNothing: Bool = false,
        extent: HistoryChange.Extent = .part,
        receipts: [KeptReceipt] = [],
        answersPoll: Bool = false
    ) async throws(StoreError) -> [ChainOutcome] {
        var change = HistoryChange(
            partition: app.partition, claim: CustomerClaim(customerID, supplier.proof), chains: chains,
            terms: HistoryChange.Terms(isAllOrNothing: isAllOrNothing, transfers: app.rules.transfer == .toLatest),
            extent: extent,
            receipts: receipts, receivedAt: system.now())
        change.answersPoll = answersPoll
        guard case .merged(let outcomes) = try await store.apply(change) else { return [] }
        try await record(zip(chains, outcomes).map { ($0.originalID, $1) }, of: change, by: supplier.origin)
        change.notify(observer, app)
        if extent != .foreign, outcomes.contains(where: \.isChange) { await counter?.count(chains, partition: app.partition) }
        return outcomes
    }

    /// Records for both customers that a subscription was taken from one and bound to the other.
    private func record(
        _ outcomes: [(originalID: String, outcome: ChainOutcome)],
        of change: HistoryChange,
        by origin: Origin
    ) async throws(StoreError) {
        for case (let id, .taken(let previous)) in outcomes {
            let how = change.terms.transfers ? "transferred" : "better-proof"
            try await audit?.record(
                .bindCustomer, by: origin, partition: change.partition, object: AuditObject(after: how),
                customerID: change.customerID,
                transactionID: id
            )
            try await audit?.record(
                .unbindCustomer, by: origin, partition: change.partition, object: AuditObject(after: how), customerID: previous,
                transactionID: id)
        }
    }
}

extension HistoryChange {
    /// Reports to the observer what is unexpected in a change that was stored.
    func notify(_ observer: (any HistoryObserver)?, _ app: App) {
        if let observer { observer.look(at: chains, of: app) }
        guard extent != .foreign else { return }
        for difference in app.groups.note(chains) { observer?.didFindDifference(difference, bundleID: app.bundleID) }
    }
}

extension HistoryChange.Extent {
    /// - Parameter environment: where the purchases were made; nil if that is not known.
    init(showsAccount: Bool = false, from environment: PurchaseEnvironment?, of app: App) {
        if let environment, environment != app.policy.environment {
            self = .foreign
        } else {
            self = showsAccount ? .account : .part
        }
    }
}
