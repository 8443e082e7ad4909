import AppStore
import EligibilityRules
import OfferSigning
import OfferStore

/// Determines which receipts of an app are kept, and seals them. An app that has the Server API keeps none.
package struct ReceiptKeeper: Sendable {
    /// An Apple account has a subscription or two of an app; more than this are cut off.
    private static let maxSubscriptions = 50
    /// A receipt shows the whole account, so that one of them suffices. Of a large receipt there are fewer than `maxSubscriptions`.
    private static let maxBytes = 16 << 20

    let vault: ReceiptVault

    package init(vault: ReceiptVault) { self.vault = vault }

    /// A sealed receipt for each subscription of a history; none if the receipt cannot be used.
    ///
    /// - Parameters:
    ///   - receipt: Base64.
    ///   - history: what it shows.
    ///   - shownAt: the latest instant that it covers.
    ///   - verifiedAt: when the App Store was asked; nil if another party vouches for it.
    ///   - environment: where the purchases were made; nil if not known.
    func kept(
        _ receipt: String?,
        showing history: PurchaseHistory,
        shownAt: Instant,
        verifiedAt: Instant?,
        from environment: PurchaseEnvironment?,
        _ app: App,
        now: Instant
    ) -> [KeptReceipt] {
        let app = app.taking(environment)
        guard let receipt, app.isPolledByReceipt, environment.map({ $0 == app.policy.environment }) ?? true else { return [] }
        let subscriptions = history.chains.filter(\.isSubscription)
        guard vault.hasSecret, !subscriptions.isEmpty, let packed = ReceiptForm.pack(receipt) else { return [] }
        let count = min(Self.maxSubscriptions, max(1, Self.maxBytes / packed.count))
        return subscriptions.suffix(count).compactMap { chain in
            vault.seal(packed: packed, as: .subscription(chain.originalID), of: app.partition).map { sealed in
                KeptReceipt(
                    originalTransactionID: chain.originalID, sealed: sealed, shownAt: min(shownAt, now),
                    verifiedAt: verifiedAt)
            }
        }
    }

    /// The receipt does not identify the account, so its digest is its only name.
    static func name(ofUnverified receipt: String) -> ReceiptName { .unverified(Crypto.sha256(receipt.utf8)) }

    /// A receipt that could not be verified; nil if none is kept.
    func unverified(
        _ receipt: String,
        customerID: String?,
        _ failure: ReceiptFailure,
        _ app: App,
        now: Instant
    ) -> UnverifiedReceipt? {
        let name = Self.name(ofUnverified: receipt)
        guard app.isPolledByReceipt, case .unverified(let digest) = name, let reason = failure.reason,
            let sealed = vault.seal(receipt, as: name, of: app.partition, customerID: customerID)
        else { return nil }
        return UnverifiedReceipt(
            partition: app.partition, digest: digest, customerID: customerID, sealed: sealed, keptAt: now, reason: reason,
            dueAt: failure.dueAt)
    }
}
