#if canImport(StoreKit)
    public import Foundation
    public import StoreKit

    extension PayloadSignature {
        /// The options to pass to `Product.purchase(options:)`.
        ///
        /// - Parameter appAccountToken: the `appAccountToken` of the request for this signature, or nil if it had none. With any
        ///   other value the App Store refuses the purchase.
        @available(iOS 15, macOS 12, tvOS 15, visionOS 1, *)
        public func purchaseOptions(appAccountToken: UUID?) -> Set<Product.PurchaseOption> {
            var options: Set<Product.PurchaseOption> = [
                .promotionalOffer(
                    offerID: offerId, keyID: keyIdentifier, nonce: nonce, signature: signature, timestamp: timestamp)
            ]
            if let appAccountToken { options.insert(.appAccountToken(appAccountToken)) }
            return options
        }
    }

    extension JWSSignature {
        /// The options to pass to `Product.purchase(options:)`. StoreKit makes several options from one JWS.
        ///
        /// - Parameter appAccountToken: the UUID that the app passes in every purchase of this user, or nil. The JWS does not
        ///   cover it.
        @available(iOS 15, macOS 12, tvOS 15, visionOS 1, *)
        public func purchaseOptions(appAccountToken: UUID?) -> Set<Product.PurchaseOption> {
            var options = Set(Product.PurchaseOption.promotionalOffer(offerId, compactJWS: compactJWS))
            if let appAccountToken { options.insert(.appAccountToken(appAccountToken)) }
            return options
        }
    }

    extension IntroductoryOfferResult {
        /// The options to pass to `Product.purchase(options:)`. They contain the override if one was signed.
        ///
        /// - Parameter appAccountToken: the UUID that the app passes in every purchase of this user, or nil.
        @available(iOS 15, macOS 12, tvOS 15, visionOS 1, *)
        public func purchaseOptions(appAccountToken: UUID?) -> Set<Product.PurchaseOption> {
            var options: Set<Product.PurchaseOption> = []
            if let compactJWS { options.insert(.introductoryOfferEligibility(compactJWS: compactJWS)) }
            if let appAccountToken { options.insert(.appAccountToken(appAccountToken)) }
            return options
        }
    }
#endif
