public import EligibilityRules
package import OfferStore

extension Instant {
    /// The instant of the tests.
    package static let testNow = Instant(milliseconds: 1_700_000_000_000)

    /// So many hours after the instant of the tests.
    package static func hours(_ hours: Int64) -> Instant { testNow.advanced(by: hours * 3_600_000) }
}

extension PurchaseChain {
    /// A monthly subscription; its periods have the ids `ID`, `ID01`, `ID02` …, and the first begins when the tests do.
    package static func sample(
        _ originalID: String = "1000",
        periods: Range<Int> = 0..<1,
        token: String? = nil,
        asOf: Instant = .testNow
    ) -> PurchaseChain {
        let month: Int64 = 30 * 24
        return PurchaseChain(
            originalID: originalID,
            groupID: "20563228",
            account: .init(appAccountToken: token.map { Stamped(ExactText($0), Stamp(asOf: asOf, source: .signedData)) }),
            beginning: .init(originallyPurchasedAt: .testNow),
            environment: .production,
            transactions: periods.map { period in
                PurchaseTransaction(
                    id: period == 0 ? originalID : originalID + (period < 10 ? "0" : "") + "\(period)",
                    productID: "pro.monthly",
                    purchasedAt: .hours(Int64(period) * month),
                    kind: .autoRenewableSubscription,
                    ownership: .purchased,
                    state: .init(
                        expiry: Stamped(.hours(Int64(period + 1) * month), Stamp(asOf: asOf, source: .signedData)),
                        revocation: Stamped(.none, Stamp(asOf: asOf, source: .signedData)))
                )
            }
        )
    }

    /// Something that is no subscription.
    package static func consumable(_ id: String, token: String? = nil) -> PurchaseChain {
        PurchaseChain(
            originalID: id,
            account: .init(appAccountToken: token.map { Stamped(ExactText($0), Stamp(asOf: .testNow, source: .signedData)) }),
            transactions: [PurchaseTransaction(id: id, productID: "coins", purchasedAt: .testNow, kind: .consumable)]
        )
    }
}

extension HistoryChange {
    /// News of some chains.
    package static func sample(
        _ chains: [PurchaseChain],
        of customerID: String? = nil,
        by proof: BindingProof = .vouched,
        app partition: AppPartition = "com.example.app",
        notification: NotificationRecord? = nil,
        at receivedAt: Instant = .testNow
    ) -> HistoryChange {
        HistoryChange(
            partition: partition, claim: CustomerClaim(customerID, proof), chains: chains, notification: notification,
            receivedAt: receivedAt)
    }
}

extension HistoryQuery {
    /// A question of the tests' app.
    package static func sample(
        customer: String? = nil,
        token: String? = nil,
        transaction: String? = nil,
        account: String? = nil,
        app partition: AppPartition = "com.example.app"
    ) -> HistoryQuery {
        HistoryQuery(
            partition: partition, customerID: customer, appAccountToken: token, transactionID: transaction,
            appTransactionID: account)
    }
}

extension HistoryStore {
    /// The original transaction ids that a look-up shows, as bytes, in order.
    package func ids(_ query: HistoryQuery) async throws -> [ExactText] {
        try await find(query).history.chains.map { ExactText($0.originalID) }
    }

    /// Applies changes in one call.
    package func applyAll(_ changes: [HistoryChange]) async throws -> [HistoryOutcome] {
        try await withCheckedContinuation { continuation in
            apply(changes) { continuation.resume(returning: $0) }
        }.get()
    }
}

extension ExactText: ExpressibleByStringLiteral {
    /// The literal's bytes.
    public init(stringLiteral text: String) { self.init(text) }
}

extension HistoryStore {
    /// Binds a subscription as a backend does that takes it from no customer with the same proof.
    package func bind(
        originalTransactionID: String,
        to customerID: String,
        partition: AppPartition,
        now: Instant
    ) async throws(StoreError) -> BindingOutcome {
        try await bind(
            originalTransactionID: originalTransactionID, to: CustomerClaim(customerID, .vouched), partition: partition, now: now)
    }
}
