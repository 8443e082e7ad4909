// The declarations of StoreKit that the client guide and Examples/SwiftUI use, as Apple documents them. They have no function:
// with them the type checker can check both on Linux.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Foundation

public enum VerificationResult<SignedType> {
    case unverified(SignedType, any Error), verified(SignedType)
    public var payloadValue: SignedType { get throws { fatalError() } }
    public var unsafePayloadValue: SignedType { fatalError() }
    public var jwsRepresentation: String { fatalError() }
}
extension VerificationResult: Sendable where SignedType: Sendable {}

public struct Transaction: Sendable {
    public struct Transactions: AsyncSequence, Sendable {
        public typealias Element = VerificationResult<Transaction>
        public struct AsyncIterator: AsyncIteratorProtocol {
            public mutating func next() async -> VerificationResult<Transaction>? { fatalError() }
        }
        public func makeAsyncIterator() -> AsyncIterator { fatalError() }
    }
    public static var all: Transactions { fatalError() }
    public static var updates: Transactions { fatalError() }
    public let productType: Product.ProductType
    public let purchaseDate: Date
    public let originalID: UInt64
    public func finish() async {}
}

public struct AppTransaction: Sendable {
    public static var shared: VerificationResult<AppTransaction> { get async throws { fatalError() } }
    public let appTransactionID: String
}

public struct Product: Sendable {
    public struct ProductType: Equatable, Sendable {
        public static var autoRenewable: ProductType { fatalError() }
    }
    public struct SubscriptionOffer: Sendable {
        public let id: String?
        public let displayPrice: String
    }
    public struct SubscriptionInfo: Sendable {
        public let promotionalOffers: [SubscriptionOffer]
        public let winBackOffers: [SubscriptionOffer]
    }
    public struct PurchaseOption: Hashable, Sendable {
        public static func appAccountToken(_ token: UUID) -> PurchaseOption { fatalError() }
        public static func promotionalOffer(offerID: String, keyID: String, nonce: UUID, signature: Data, timestamp: Int)
            -> PurchaseOption
        { fatalError() }
        public static func promotionalOffer(_ offerID: String, compactJWS: String) -> [PurchaseOption] { fatalError() }
        public static func introductoryOfferEligibility(compactJWS: String) -> PurchaseOption { fatalError() }
        public static func winBackOffer(_ offer: SubscriptionOffer) -> PurchaseOption { fatalError() }
    }
    public enum PurchaseResult: Sendable { case success(VerificationResult<Transaction>), userCancelled, pending }
    public enum PurchaseError: Error {
        case invalidQuantity, productUnavailable, purchaseNotAllowed, ineligibleForOffer, invalidOfferIdentifier,
            invalidOfferPrice
        case invalidOfferSignature, missingOfferParameters
    }
    public static func products<Identifiers: Collection>(for identifiers: Identifiers) async throws -> [Product]
    where Identifiers.Element == String { fatalError() }
    public let id: String
    public let displayName: String
    public let displayPrice: String
    public let subscription: SubscriptionInfo?
    public func purchase(options: Set<PurchaseOption> = []) async throws -> PurchaseResult { fatalError() }
}

open class SKProduct {}
open class SKPayment {}
open class SKMutablePayment: SKPayment {
    public init(product: SKProduct) {}
    public var applicationUsername: String?
    public var paymentDiscount: SKPaymentDiscount?
}
open class SKPaymentDiscount {
    public init(identifier: String, keyIdentifier: String, nonce: UUID, signature: String, timestamp: NSNumber) {}
}
open class SKPaymentQueue {
    public class func `default`() -> SKPaymentQueue { fatalError() }
    public func add(_ payment: SKPayment) {}
}
