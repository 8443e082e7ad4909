import Foundation
import Observation
import OfferSignerClient
import StoreKit

/// What the paywall shows, and how it buys.
@MainActor @Observable
final class Shop {
    private(set) var products: [Product] = []
    /// By product id: the promotional offer that the user may have.
    private(set) var offers: [String: String] = [:]
    private(set) var isBuying = false
    private(set) var message: String?

    private let backend: Backend
    private let productIds: [String]
    private var accountToken: UUID?

    init(backend: Backend, productIds: [String]) {
        self.backend = backend
        self.productIds = productIds
    }

    /// Asks what to show. Nothing is signed.
    func load() async {
        do {
            products = try await Product.products(for: productIds)
            let known = try await backend.paywall(products: productIds, signedTransactions: await subscriptions().signed)
            accountToken = known.appAccountToken
            for product in known.products { offers[product.productId] = product.promotionalOffers.first }
        } catch {
            message = "The shop is not available at the moment."
        }
    }

    /// Buys when the user taps. Every tap asks for a signature of its own, because each is good for one buy attempt.
    func buy(_ product: Product) async {
        // Without the token the purchase would not say whose it is.
        guard !isBuying, let accountToken else { return }
        (isBuying, message) = (true, nil)
        defer { isBuying = false }
        do {
            switch try await product.purchase(options: try await options(for: product, accountToken)) {
            case .success(let result): await take(result)
            // The signature is used up all the same.
            case .userCancelled: break
            case .pending: message = "The purchase waits for an approval."
            @unknown default: break
            }
        } catch Product.PurchaseError.ineligibleForOffer {
            withdraw(product)
        } catch is OfferNotAvailable {
            withdraw(product)
        } catch {
            // Log the error, with `code` and `requestId` if it is a rejection: troubleshooting.md says what to do.
            message = "The purchase did not work. Please try again."
        }
    }

    /// Takes purchases that arrive by themselves: renewals, approvals, and what was not reported when the app ended.
    func watch() async {
        for await result in Transaction.updates { await take(result) }
    }

    private func options(for product: Product, _ accountToken: UUID) async throws -> Set<Product.PurchaseOption> {
        guard let offerId = offers[product.id] else { return [.appAccountToken(accountToken)] }
        let result = try await backend.signature(
            productId: product.id, offerId: offerId, transactionId: await subscriptions().transactionId)
        switch result {
        case .jws(let signed): return signed.purchaseOptions(appAccountToken: accountToken)
        case .payload(let signed): return signed.purchaseOptions(appAccountToken: accountToken)
        case .refused: throw OfferNotAvailable()
        }
    }

    /// Never sells at the full price by itself: the user sees the price first, and taps again.
    private func withdraw(_ product: Product) {
        offers[product.id] = nil
        message = "The offer is not available. The button has the normal price now."
    }

    /// Reports a purchase to the backend. It is finished after that: until then StoreKit brings it again at each start.
    private func take(_ result: VerificationResult<Transaction>) async {
        guard case .verified(let transaction) = result else { return }
        do {
            try await backend.report(result.jwsRepresentation)
            await transaction.finish()
        } catch OfferSignerError.rejected(409, _) {
            // `bound-to-another-customer`. Reporting it again would not help.
            message = "This subscription belongs to another account of our app."
            await transaction.finish()
        } catch {
            message = "The purchase is yours. It appears here as soon as we can be reached."
        }
    }

    /// What StoreKit knows of subscriptions on this device, newest first: the latest one's transaction id, and what the App Store
    /// has signed.
    private func subscriptions() async -> (transactionId: String?, signed: [String]) {
        var found: [(transaction: Transaction, jws: String)] = []
        for await result in Transaction.all {
            guard case .verified(let transaction) = result, transaction.productType == .autoRenewable else { continue }
            found.append((transaction, result.jwsRepresentation))
        }
        found.sort { $0.transaction.purchaseDate > $1.transaction.purchaseDate }
        return (found.first.map { String($0.transaction.originalID) }, found.prefix(200).map(\.jws))
    }
}

/// The service has refused the offer to this user.
private struct OfferNotAvailable: Error {}
