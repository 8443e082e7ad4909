import AppStore
import EligibilityRules
import OfferSigning
import OfferStore

/// Decides which receipts of an app are kept, and seals them. For an app that has the Server API none are kept.
package struct ReceiptKeeper: Sendable {
    /// The maximum number of subscriptions for which a receipt is kept.
    ///
    /// An Apple account usually has one or two subscriptions of an app.
    private static let maxSubscriptions = 50
    /// The maximum size of all copies of one receipt together, in bytes.
    ///
    /// A large receipt is therefore kept for fewer subscriptions than `maxSubscriptions`. That suffices, because each copy shows
    /// the whole account.
    private static let maxBytes = 16 << 20

    let vault: ReceiptVault

    package init(vault: ReceiptVault) { self.vault = vault }

    /// The receipt, sealed once for each subscription of a history; empty if the receipt cannot be used.
    ///
    /// - Parameters:
    ///   - receipt: the receipt in Base64; nil if there is none.
    ///   - history: the purchases that the receipt shows.
    ///   - shownAt: the latest instant that the receipt covers.
    ///   - verifiedAt: when the App Store was asked about the receipt; nil if a backend vouches for it instead.
    ///   - environment: where the purchases were made; nil if that is not known.
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

    /// The name under which an unverified receipt is kept.
    ///
    /// It is a digest of the receipt, because nothing else identifies a receipt before it is verified.
    static func name(ofUnverified receipt: String) -> ReceiptName { .unverified(Crypto.sha256(receipt.utf8)) }

    /// A receipt that could not be verified, sealed; nil if it is not kept.
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
