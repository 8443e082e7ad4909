package import EligibilityRules
package import WireText

/// StoreKit 2 transactions (`signedTransactionInfo`).
package enum SignedTransactionDecoder {
    private static let kinds: [String: ProductKind] = [
        "Auto-Renewable Subscription": .autoRenewableSubscription,
        "Non-Consumable": .nonConsumable,
        "Consumable": .consumable,
        "Non-Renewing Subscription": .nonRenewingSubscription,
    ]

    private static let kept = [
        "revocationReason", "revocationType", "revocationPercentage", "billingPlanType", "commitmentInfo", "multiSeatInfo",
        "invitationManagement", "additionalTransactionReason",
    ]
    private static let enumerations: [(String, AppleEnumeration)] = [
        ("type", .type), ("inAppOwnershipType", .ownership), ("offerType", .offerType),
        ("offerDiscountType", .offerDiscountType), ("transactionReason", .transactionReason), ("environment", .environment),
        ("revocationReason", .revocationReason), ("revocationType", .revocationType), ("billingPlanType", .billingPlanType),
        ("invitationManagement", .invitationManagement), ("additionalTransactionReason", .additionalTransactionReason),
    ]

    /// Returns a chain with one transaction; nil if the payload lacks a transaction id, a product or a purchase date.
    ///
    /// - Parameter notice: what the notification that it belongs to says of a refund; nil if nothing.
    package static func chain(_ payload: JSONValue, notice: RefundNotice? = nil) -> PurchaseChain? {
        guard let payload = AppleObject(payload), let id = payload.text("transactionId"),
            let productID = payload.text("productId"), let purchasedAt = payload.instant("purchaseDate")
        else { return nil }
        let refundsSeats = notice == .ofSeats
        let revokedAt = refundsSeats || SignedSale.hasSeatsLeft(payload) ? nil : payload.instant("revocationDate")
        let stamp = Stamp(
            asOf: payload.instant("signedDate") ?? max(purchasedAt, payload.instant("revocationDate") ?? purchasedAt),
            source: .signedData)
        return PurchaseChain(
            originalID: payload.text("originalTransactionId") ?? id,
            groupID: payload.text("subscriptionGroupIdentifier"),
            account: .init(appAccountToken: payload.accountToken(stamp), appTransactionID: payload.text("appTransactionId")),
            beginning: .init(
                originallyPurchasedAt: payload.instant("originalPurchaseDate"),
                previousOriginalID: payload.text("previousOriginalTransactionId")),
            environment: PurchaseEnvironment(appleText: payload.text("environment")),
            transactions: [
                PurchaseTransaction(
                    id: id,
                    productID: productID,
                    purchasedAt: purchasedAt,
                    kind: payload.text("type").map { kinds[$0] ?? .unrecognised },
                    ownership: Ownership(appleText: payload.text("inAppOwnershipType")),
                    terms: .init(
                        lineItemID: payload.lineItemID("webOrderLineItemId"), offer: offer(payload),
                        sale: SignedSale.sale(payload, stamp, refundsSeats: refundsSeats)),
                    course: .init(
                        isUpgraded: payload.flag("isUpgraded") ?? false,
                        isRenewal: payload.text("transactionReason") == "RENEWAL",
                        sharesPeriod: payload["additionalTransactionReason"].map { $0 != .null } ?? false),
                    state: .init(
                        expiry: payload.instant("expiresDate").map { Stamped($0, stamp) },
                        revocation: Stamped(revokedAt.map(Revocation.revoked) ?? .none, stamp),
                        reversal: notice == .reversal ? stamp : nil,
                        particulars: payload.particulars(kept: kept, enumerations).map { Stamped($0, stamp) })
                )
            ]
        )
    }

    private static func offer(_ payload: AppleObject) -> RedeemedOffer? {
        // A value that is not a whole number is still an offer, of a kind that is not recognised.
        guard let type = payload["offerType"], type != .null else { return nil }
        let known = payload.code("offerType").flatMap(UInt8.init(exactly:)).flatMap(RedeemedOffer.Kind.init)
        let kind = known ?? .unrecognised
        return RedeemedOffer(kind: kind, id: kind == .introductory ? nil : payload.text("offerIdentifier"))
    }
}
