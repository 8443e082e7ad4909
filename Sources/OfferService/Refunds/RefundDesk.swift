package import EligibilityRules
package import OfferStore

/// The use cases of refund requests: judge a request, list requests, and record consents. Nothing here sends an answer.
package struct RefundDesk: Sendable {
    private let histories: any HistoryStore
    let refunds: any RefundStore
    private let audit: AuditLog
    private let system: SystemEnvironment

    package init(store: PurchaseStore, audit: AuditLog, system: SystemEnvironment) {
        histories = store.histories
        refunds = store.refunds
        self.audit = audit
        self.system = system
    }

    /// Decides about a purchase by the policies of the app, from what is now known of the customer.
    ///
    /// - Parameter requestedAt: the instant for which the age of the purchase and its consumed share are computed.
    package func judge(
        _ transactionID: String,
        isAdvancedCommerce: Bool = false,
        requestedAt: Instant,
        _ app: App
    ) async throws -> RefundJudgement {
        let stored = try await history(of: transactionID, app).intact()
        guard let (chain, transaction) = stored.purchase(transactionID) else {
            return RefundJudgement(
                purchase: nil, customerID: nil, consent: nil, policy: nil, answer: nil, obstacle: .unknownTransaction)
        }
        let consent = try await consent(of: stored.customerID, or: chain.accountToken, app)
        let facts = CustomerFacts(of: Customer(stored, of: app, now: requestedAt), historyUpdatedAt: stored.updatedAt)
        let purchase = RefundCase(transaction, offersRedeemed: facts.redemptions.count, requestedAt: requestedAt)
        let (policy, answer) = app.answers.refunds.policies.decide(purchase)
        return RefundJudgement(
            purchase: purchase, customerID: stored.customerID, consent: consent, policy: policy?.name, answer: answer,
            obstacle: isAdvancedCommerce ? .advancedCommerce : transaction.isOwn ? Self.obstacle(consent) : .notOwn)
    }

    private static func obstacle(_ consent: ConsumptionConsent?) -> RefundJudgement.Obstacle? {
        guard let consent else { return .noConsent }
        return consent.isGiven ? nil : .consentWithdrawn
    }

    /// - Parameter token: the purchase's `appAccountToken`, which names the customer if the purchase is not bound to one.
    private func consent(
        of customerID: String?,
        or token: String?,
        _ app: App
    ) async throws(StoreError) -> ConsumptionConsent? {
        guard let name = customerID ?? token else { return nil }
        var names = [name] + (try await histories.aliases(of: name, partition: app.partition))
        // Some apps name their customers by the account token, and may write it in capital letters.
        if customerID == nil { names.append(name.uppercased()) }
        return try await refunds.consent(of: names, partition: app.partition)
    }

    /// Records whether a customer consents, in every environment of the app.
    ///
    /// The audit log records the statement first. It and the consents are in different files, and a crash between the two writes
    /// must not leave a consent that the log does not have.
    package func state(_ isGiven: Bool, of customerID: String, _ app: App, by origin: Origin) async throws -> ConsumptionConsent {
        let consent = ConsumptionConsent(isGiven: isGiven, statedAt: system.now())
        try await audit.record(
            .stateConsent, by: origin, partition: app.partition, object: AuditObject(after: isGiven ? "given" : "withdrawn"),
            customerID: customerID)
        // This includes environments that the app does not accept at present.
        for partition in AppPartition.environments(of: app.bundleID) {
            try await refunds.state(consent, of: customerID, partition: partition)
        }
        return consent
    }

    /// The refund requests of an app, the latest first.
    ///
    /// - Parameter transactionID: any transaction id of the purchase in question; nil for all requests.
    package func requests(_ app: App, transactionID: String? = nil, limit: Int) async throws(StoreError) -> [RefundRecord] {
        var ids = transactionID.map { [$0] }
        if let transactionID, let known = try await history(of: transactionID, app).purchase(transactionID) {
            ids = known.transaction.ids
        }
        return try await refunds.requests(partition: app.partition, transactionIDs: ids, limit: limit)
    }

    private func history(of transactionID: String, _ app: App) async throws(StoreError) -> StoredHistory {
        try await histories.wholeHistory(of: HistoryQuery(partition: app.partition, transactionID: transactionID))
    }
}

extension StoredHistory {
    fileprivate func purchase(_ transactionID: String) -> (chain: PurchaseChain, transaction: PurchaseTransaction)? {
        history.chains.lazy.compactMap { chain in
            chain.transactions.first { $0.hasID(transactionID) }.map { (chain, $0) }
        }.first
    }
}

/// The answer to a refund request, and the reasons for it.
package struct RefundJudgement: Sendable {
    /// Why the answer must not be sent. A code never changes its meaning.
    package enum Obstacle: String, Sendable, CaseIterable {
        /// No consent was ever recorded.
        case noConsent = "no-consent"
        case consentWithdrawn = "consent-withdrawn"
        /// Another person has paid for the purchase.
        ///
        /// Apple accepts no answer about a shared or assigned purchase.
        case notOwn = "not-own"
        /// The purchase was made through the Advanced Commerce API, which needs an answer in another form.
        case advancedCommerce = "advanced-commerce"
        /// The store does not have the purchase.
        case unknownTransaction = "unknown-transaction"
    }

    /// The purchase; nil if the store does not have it.
    package let purchase: RefundCase?
    /// The app's own id of the customer; nil if none is known.
    package let customerID: String?
    /// What the customer has last stated, a consent or its withdrawal; nil if nothing was ever recorded.
    package let consent: ConsumptionConsent?
    /// The name of the policy that applies; nil if none does.
    package let policy: String?
    /// The answer; nil if the store does not have the purchase.
    package let answer: RefundAnswer?
    /// Why the answer may not be sent; nil if it may.
    package let obstacle: Obstacle?
}
