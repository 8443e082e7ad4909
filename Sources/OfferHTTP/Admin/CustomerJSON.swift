package import EligibilityRules
package import OfferService
package import WireText

/// The data of a customer, as the API and the command line show it.
package enum CustomerJSON {
    /// Returns the facts about a customer.
    package static func facts(_ facts: CustomerFacts, customerID: String) -> JSONValue {
        .members([
            "asOf": .instant(facts.asOf), "customerId": .string(customerID), "environment": .string(facts.environment.name),
            "history": .string(facts.completeness.rawValue), "historyUpdatedAt": .instant(facts.historyUpdatedAt),
            "lastStatement": facts.lastStatement.map {
                .members(["at": .instant($0.asOf), "source": .string($0.source.name)])
            } ?? .null,
            "customer": .members([
                "purchases": .integer(facts.purchases), "firstPurchaseAt": .instant(facts.firstPurchaseAt),
                "lastPurchaseAt": .instant(facts.lastPurchaseAt),
                "daysSinceFirstPurchase": .integer(facts.daysSinceFirstPurchase),
            ]),
            "subscriptions": .array(facts.subscriptions.map(subscription)),
            "introductory": .members(["used": .flag(facts.introductoryOfferUsed)]),
            "offers": .members([
                "redeemedCount": .integer(facts.redemptions.count), "daysSinceLast": .integer(facts.daysSinceLastRedemption),
                "redeemed": .array(facts.redemptions.map { redemption($0, at: facts.asOf) }),
            ]),
            "refunds": .members([
                "count": .integer(facts.refunds.count),
                "items": .array(facts.refunds.map { refund($0, at: facts.asOf) }),
            ]),
            "links": links(facts.links),
            "unrecognised": .array(
                facts.unrecognised.map { .members(["field": .string($0.name), "value": .string($0.value)]) }),
        ])
    }

    private static func subscription(_ facts: SubscriptionFacts) -> JSONValue {
        let transaction = facts.status.transaction
        return .members([
            "subscriptionGroupId": .text(facts.groupID), "state": .string(facts.status.state.rawValue),
            "since": .instant(facts.since), "until": .instant(facts.until),
            "renewalUnconfirmed": .bool(facts.status.isRenewalUnconfirmed),
            "productId": .text(transaction?.productID), "transactionId": .text(transaction?.id),
            "originalTransactionId": .text(facts.status.originalTransactionID),
            "ownership": .text(transaction.map { ($0.ownership ?? .purchased).name }),
            "expiresAt": .instant(transaction?.expiry?.value), "willRenew": .flag(facts.status.willRenew),
            "nextProductId": .text(facts.renewal?.nextProductID),
            "expirationIntent": .integer(facts.renewal?.expirationIntent),
            "priceIncreaseStatus": .integer(facts.renewal?.priceConsent),
            "gracePeriodExpiresAt": .instant(facts.gracePeriodExpiresAt),
            "billingRetryEndsAt": .instant(facts.billingRetryEndsAt), "statedAt": .instant(facts.status.statedAt),
            "price": .integer(transaction?.sale?.charged), "paid": .integer(facts.paid?.thousandths),
            "currency": .text(transaction?.sale?.currency),
            "storefront": .text(transaction?.sale?.storefront), "renewalPrice": .integer(facts.renewalPrice),
            "firstSubscribedAt": .instant(facts.firstSubscribedAt), "daysSubscribed": .integer(facts.daysSubscribed),
            "billingPlan": .text(facts.billingPlan?.rawValue), "commitment": commitment(transaction),
            "paidPeriods": .integer(facts.paidPeriods), "knownFromStart": .bool(facts.isKnownFromStart),
            "daysSinceLapse": .integer(facts.daysSinceLapse), "daysUntilRenewal": .integer(facts.daysUntilRenewal),
            "introductory": .members([
                "used": .flag(facts.introductoryOfferUsed), "usedAt": .instant(facts.introductoryPurchase?.purchasedAt),
                "transactionId": .text(facts.introductoryPurchase?.id),
                "usedByAppleAccount": .bool(facts.introductoryOfferUsedByAccount),
            ]),
        ])
    }

    /// Returns the commitment of a period that is paid monthly, as far as the App Store has stated it.
    private static func commitment(_ transaction: PurchaseTransaction?) -> JSONValue {
        guard let text = transaction?.particulars?.value.value(of: "commitmentInfo"),
            let info = try? JSONValue(parsing: Array(text.utf8))
        else { return .null }
        return .members([
            "period": info.member("billingPeriodNumber") ?? .null, "periods": info.member("totalBillingPeriods") ?? .null,
            "endsAt": info.member("commitmentExpiresDate") ?? .null, "price": info.member("commitmentPrice") ?? .null,
        ])
    }

    private static func redemption(_ fact: RedemptionFact, at now: Instant) -> JSONValue {
        .members([
            "kind": .string(fact.offer.kind.name), "offerId": .text(fact.offer.id),
            "productId": .string(fact.transaction.productID), "subscriptionGroupId": .text(fact.groupID),
            "transactionId": .string(fact.transaction.id), "redeemedAt": .instant(fact.transaction.purchasedAt),
            "periods": .integer(fact.periods), "refunded": .bool(fact.transaction.revokedAt != nil),
            "price": .integer(fact.transaction.sale?.charged), "paid": .integer(fact.transaction.paid(by: now).thousandths),
            "currency": .text(fact.transaction.sale?.currency),
            "signature": fact.signature.map {
                .members([
                    "nonce": .string($0.nonce), "signedAt": .instant($0.signedAt), "keyIdentifier": .string($0.keyID),
                ])
            } ?? .null,
        ])
    }

    private static func refund(_ transaction: PurchaseTransaction, at now: Instant) -> JSONValue {
        .members([
            "transactionId": .string(transaction.id), "productId": .string(transaction.productID),
            "purchasedAt": .instant(transaction.purchasedAt), "refundedAt": .instant(transaction.revokedAt),
            "price": .integer(transaction.sale?.charged), "paid": .integer(transaction.paid(by: now).thousandths),
            "currency": .text(transaction.sale?.currency),
        ])
    }

    private static func links(_ links: CustomerLinks) -> JSONValue {
        .members([
            "aliases": .texts(links.aliases), "appAccountTokens": .texts(links.accountTokens),
            "appTransactionIds": .texts(links.appleAccounts), "applicationUsernames": .texts(links.applicationUsernames),
            "purchases": .array(
                links.chains.map { chain in
                    .members([
                        "originalTransactionId": .string(chain.originalID), "environment": .text(chain.environment?.name),
                        "subscriptionGroupId": .text(chain.groupID), "appAccountToken": .text(chain.accountToken),
                        "appTransactionId": .text(chain.appTransactionID),
                        "previousOriginalTransactionId": .text(chain.previousOriginalID),
                    ])
                }),
        ])
    }

    /// Returns an event of the timeline.
    package static func event(_ event: TimelineEvent) -> JSONValue {
        var members: [JSONValue.Member] = [
            JSONValue.Member(name: "id", value: .string(event.id)), JSONValue.Member(name: "at", value: .instant(event.at)),
            JSONValue.Member(name: "kind", value: .string(event.kind)),
        ]
        func add(_ more: KeyValuePairs<String, JSONValue>) {
            members += more.filter { $0.value != .null }.map { JSONValue.Member(name: $0.key, value: $0.value) }
        }
        add(["originalTransactionId": .text(event.originalTransactionID)])
        if let transaction = event.transaction {
            add([
                "transactionId": .string(transaction.id), "productId": .string(transaction.productID),
                "ownership": .string((transaction.ownership ?? .purchased).name),
                "offerKind": .text(transaction.offer?.kind.name), "offerId": .text(transaction.offer?.id),
                "expiresAt": .instant(transaction.expiry?.value), "price": .integer(transaction.sale?.charged),
                "paid": .integer(transaction.paid().thousandths), "currency": .text(transaction.sale?.currency),
            ])
        }
        switch event.content {
        case .notification(let version, let type, let subtype):
            add(["version": .integer(version), "type": .string(type), "subtype": .text(subtype)])
        case .renewalStatement(let renewal):
            add([
                "willRenew": .flag(renewal.willRenew), "nextProductId": .text(renewal.nextProductID),
                "expirationIntent": .integer(renewal.expirationIntent), "inBillingRetry": .flag(renewal.isInBillingRetry),
                "gracePeriodExpiresAt": .instant(renewal.gracePeriodExpiresAt),
            ])
        case .signature(let productID, let offerID, let nonce, let keyID, let redeemedBy):
            add([
                "productId": .string(productID), "offerId": .string(offerID), "nonce": .string(nonce),
                "keyIdentifier": .string(keyID), "redeemedBy": .text(redeemedBy),
            ])
        case .refusal(let productID, let offerID, let reason, let transactionID):
            add([
                "productId": .string(productID), "offerId": .string(offerID), "reason": .string(reason),
                "transactionId": .text(transactionID),
            ])
        default: break
        }
        return .object(members)
    }

    /// Returns what an erasure has deleted, and which data of the customer is kept for how long.
    package static func erasure(_ erasure: CustomerErasure, bundleID: String) -> JSONValue {
        func stays(_ what: String, _ count: Int?, until: Instant?) -> JSONValue {
            .members(["what": .string(what), "count": .integer(count), "until": .instant(until)])
        }
        return .members([
            "status": .string("erased"), "bundleId": .string(bundleID), "erasedAt": .instant(erasure.erasedAt),
            "purchases": .integer(erasure.purchases), "notifications": .integer(erasure.notifications),
            "ledgerRows": .integer(erasure.ledgerRows),
            "stays": .array([
                stays("ledger", erasure.ledgerRows, until: erasure.ledgerUntil),
                stays("stored-answers", nil, until: erasure.answersUntil),
                stays("purchases", erasure.purchases, until: nil), stays("audit-events", nil, until: nil),
            ]),
        ])
    }
}
