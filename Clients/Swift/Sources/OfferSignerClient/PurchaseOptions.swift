#if canImport(StoreKit)
    public import Foundation
    public import StoreKit

    extension PayloadSignature {
        /// The options to buy with.
        ///
        /// - Parameter appAccountToken: what the request had, or nil if it had none. The App Store refuses any other.
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
        /// The options to buy with. StoreKit makes several of one JWS.
        ///
        /// - Parameter appAccountToken: any, because a JWS does not sign it.
        @available(iOS 15, macOS 12, tvOS 15, visionOS 1, *)
        public func purchaseOptions(appAccountToken: UUID?) -> Set<Product.PurchaseOption> {
            var options = Set(Product.PurchaseOption.promotionalOffer(offerId, compactJWS: compactJWS))
            if let appAccountToken { options.insert(.appAccountToken(appAccountToken)) }
            return options
        }
    }

    extension IntroductoryOfferResult {
        /// The options to buy with: an override only where one was signed.
        @available(iOS 15, macOS 12, tvOS 15, visionOS 1, *)
        public func purchaseOptions(appAccountToken: UUID?) -> Set<Product.PurchaseOption> {
            var options: Set<Product.PurchaseOption> = []
            if let compactJWS { options.insert(.introductoryOfferEligibility(compactJWS: compactJWS)) }
            if let appAccountToken { options.insert(.appAccountToken(appAccountToken)) }
            return options
        }
    }
#endif
