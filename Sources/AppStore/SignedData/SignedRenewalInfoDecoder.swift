package import EligibilityRules
package import OfferSigning

/// Renewal information (`signedRenewalInfo`).
package enum SignedRenewalInfoDecoder {
    /// A chain without transactions; nil if the payload lacks the subscription's id or says nothing about renewing.
    package static func chain(_ payload: JSONValue) -> PurchaseChain? {
        guard let payload = AppleObject(payload), let originalID = payload.text("originalTransactionId") else { return nil }
        let willRenew = payload.flag("autoRenewStatus")
        let nextProductID = payload.text("autoRenewProductId")
        // A transaction would pass for renewal information otherwise.
        guard willRenew != nil || nextProductID != nil else { return nil }
        let asOf = payload.instant("signedDate") ?? payload.instant("recentSubscriptionStartDate")
        let stamp = Stamp(asOf: asOf ?? Instant(milliseconds: 0), source: .signedData)
        let renewal = RenewalState(
            willRenew: willRenew,
            nextProductID: nextProductID,
            isInBillingRetry: payload.flag("isInBillingRetryPeriod"),
            gracePeriodExpiresAt: payload.instant("gracePeriodExpiresDate"),
            expirationIntent: RenewalState.expirationIntent(payload.integer("expirationIntent"))
        )
        return PurchaseChain(
            originalID: originalID,
            appAccountToken: payload.text("appAccountToken")?.lowercased(),
            environment: PurchaseEnvironment(appleText: payload.text("environment")),
            renewal: Stamped(renewal, stamp),
            winBackOffers: payload.texts("eligibleWinBackOfferIds").map { Stamped(OfferIDs($0), stamp) }
        )
    }
}
