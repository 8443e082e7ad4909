package import EligibilityRules
package import OfferSigning

/// StoreKit 2 transactions (`signedTransactionInfo`).
package enum SignedTransactionDecoder {
    private static let kinds: [String: ProductKind] = [
        "Auto-Renewable Subscription": .autoRenewableSubscription,
        "Non-Consumable": .nonConsumable,
        "Consumable": .consumable,
        "Non-Renewing Subscription": .nonRenewingSubscription,
    ]

    /// A chain with one transaction; nil if the payload lacks a transaction id, a product or a purchase date.
    package static func chain(_ payload: JSONValue) -> PurchaseChain? {
        guard let payload = AppleObject(payload), let id = payload.text("transactionId"),
            let productID = payload.text("productId"), let purchasedAt = payload.instant("purchaseDate")
        else { return nil }
        let revokedAt = payload.instant("revocationDate")
        let stamp = Stamp(asOf: payload.instant("signedDate") ?? max(purchasedAt, revokedAt ?? purchasedAt), source: .signedData)
        return PurchaseChain(
            originalID: payload.text("originalTransactionId") ?? id,
            originallyPurchasedAt: payload.instant("originalPurchaseDate"),
            groupID: payload.text("subscriptionGroupIdentifier"),
            appAccountToken: payload.text("appAccountToken")?.lowercased(),
            environment: PurchaseEnvironment(appleText: payload.text("environment")),
            transactions: [
                PurchaseTransaction(
                    id: id,
                    productID: productID,
                    purchasedAt: purchasedAt,
                    kind: payload.text("type").flatMap { kinds[$0] },
                    ownership: Ownership(appleText: payload.text("inAppOwnershipType")),
                    offer: offer(payload),
                    isUpgraded: payload.flag("isUpgraded") ?? false,
                    expiry: payload.instant("expiresDate").map { Stamped($0, stamp) },
                    revocation: Stamped(revokedAt.map(Revocation.revoked) ?? .none, stamp)
                )
            ]
        )
    }

    private static func offer(_ payload: AppleObject) -> RedeemedOffer? {
        guard let type = payload.integer("offerType"), let kind = UInt8(exactly: type).flatMap(RedeemedOffer.Kind.init)
        else { return nil }
        return RedeemedOffer(kind: kind, id: kind == .introductory ? nil : payload.text("offerIdentifier"))
    }
}
