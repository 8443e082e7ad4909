package import EligibilityRules
package import WireText

/// Decodes renewal information (`signedRenewalInfo`).
package enum SignedRenewalInfoDecoder {
    private static let kept = [
        "renewalBillingPlanType", "commitmentInfo", "renewalPrice", "currency", "renewalQuantity", "multiSeatInfo",
    ]
    private static let enumerations: [(String, AppleEnumeration)] = [
        ("autoRenewStatus", .autoRenewStatus), ("expirationIntent", .expirationIntent),
        ("priceIncreaseStatus", .priceIncreaseStatus), ("offerType", .offerType),
        ("offerDiscountType", .offerDiscountType), ("renewalBillingPlanType", .renewalBillingPlanType),
        ("environment", .environment),
    ]

    /// Returns a chain without transactions; nil if the payload lacks the subscription's id or states nothing about renewal.
    package static func chain(_ payload: JSONValue) -> PurchaseChain? {
        guard let payload = AppleObject(payload), let originalID = payload.text("originalTransactionId") else { return nil }
        let willRenew = [0: false, 1: true][payload.code("autoRenewStatus")]
        let expirationIntent = payload.code("expirationIntent")
        let nextProductID = payload.text("autoRenewProductId")
        // A transaction has neither field. Without this check it would be taken for renewal information.
        guard willRenew != nil || nextProductID != nil else { return nil }
        let asOf = payload.instant("signedDate") ?? payload.instant("recentSubscriptionStartDate")
        let stamp = Stamp(asOf: asOf ?? Instant(milliseconds: 0), source: .signedData)
        let renewal = RenewalState(
            willRenew: willRenew,
            nextProductID: nextProductID,
            isInBillingRetry: payload.flag("isInBillingRetryPeriod"),
            gracePeriodExpiresAt: payload.instant("gracePeriodExpiresDate"),
            expirationIntent: expirationIntent,
            renewalDate: payload.instant("renewalDate"),
            priceConsent: payload.code("priceIncreaseStatus"),
            particulars: payload.particulars(kept: kept, enumerations)
        )
        // If the subscription does not renew, or has expired, a missing list means that there are no win-back offers. Otherwise
        // it says nothing.
        let hasLapsed = willRenew == false || expirationIntent != nil
        let winBackOffers = payload.texts("eligibleWinBackOfferIds") ?? (hasLapsed ? [] : nil)
        return PurchaseChain(
            originalID: originalID,
            account: .init(appAccountToken: payload.accountToken(stamp), appTransactionID: payload.text("appTransactionId")),
            environment: PurchaseEnvironment(appleText: payload.text("environment")),
            outlook: .init(renewal: Stamped(renewal, stamp), winBackOffers: winBackOffers.map { Stamped(OfferIDs($0), stamp) })
        )
    }
}
