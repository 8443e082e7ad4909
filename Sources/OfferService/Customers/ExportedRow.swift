import EligibilityRules
import OfferSigning
import OfferStore
import WireText

/// The stored data in its exported form. It is complete, and has no computed values except the amount that was paid.
enum ExportedRow {
    /// A subscription or another purchase.
    static func json(_ chain: PurchaseChain) -> JSONValue {
        .members([
            "originalTransactionId": .string(chain.originalID), "originalPurchaseDate": .instant(chain.originallyPurchasedAt),
            "subscriptionGroupId": .text(chain.groupID), "environment": .text(chain.environment?.name),
            "appAccountToken": .text(chain.accountToken), "appTransactionId": .text(chain.appTransactionID),
            "previousOriginalTransactionId": .text(chain.previousOriginalID),
            "isKnownFromStart": .bool(chain.showsFirstPeriod),
            "renewal": chain.renewal.map(json) ?? .null,
            "winBackOffers": chain.winBackOffers.map { .texts($0.value.ids) } ?? .null,
            "transactions": .array(chain.transactions.map(json)),
        ])
    }

    private static func json(_ renewal: Stamped<RenewalState>) -> JSONValue {
        .members([
            "statedAt": .instant(renewal.stamp.asOf), "source": .string(renewal.stamp.source.name),
            "willRenew": .flag(renewal.value.willRenew), "nextProductId": .text(renewal.value.nextProductID),
            "isInBillingRetry": .flag(renewal.value.isInBillingRetry),
            "gracePeriodExpiresAt": .instant(renewal.value.gracePeriodExpiresAt),
            "expirationIntent": .integer(renewal.value.expirationIntent), "renewalDate": .instant(renewal.value.renewalDate),
            "priceIncreaseStatus": .integer(renewal.value.priceConsent), "statement": json(renewal.value.particulars),
        ])
    }

    private static func json(_ transaction: PurchaseTransaction) -> JSONValue {
        .members([
            "transactionId": .string(transaction.id), "otherTransactionIds": .texts(transaction.otherIDs),
            "webOrderLineItemId": .text(transaction.lineItemID), "productId": .string(transaction.productID),
            "purchasedAt": .instant(transaction.purchasedAt), "type": .text(transaction.kind?.name),
            "ownership": .text(transaction.ownership?.name), "isUpgraded": .bool(transaction.isUpgraded),
            "isRenewal": .bool(transaction.isRenewal), "sharesPeriod": .bool(transaction.sharesPeriod),
            "offer": transaction.offer.map { .members(["kind": .string($0.kind.name), "offerId": .text($0.id)]) } ?? .null,
            "expiresAt": .instant(transaction.expiry?.value), "revokedAt": .instant(transaction.revocation?.value.instant),
            "cancelledAt": .instant(transaction.cancellation?.value),
            "price": .integer(transaction.sale?.price), "charged": .integer(transaction.sale?.charged),
            "paid": .integer(transaction.paid().thousandths), "currency": .text(transaction.sale?.currency),
            "storefront": .text(transaction.sale?.storefront), "offerDiscountType": .text(transaction.sale?.discount),
            "statement": json(transaction.particulars?.value),
        ])
    }

    /// The values under Apple's names, as Apple has stated them.
    private static func json(_ particulars: Particulars?) -> JSONValue {
        .object((particulars?.facts ?? []).map { JSONValue.Member(name: $0.name, value: .string($0.value)) })
    }

    /// A notification as it was received.
    static func json(_ notification: NotificationRecord, body: [UInt8]) -> JSONValue {
        .members([
            "key": .string(Crypto.hexadecimal(notification.key)), "version": .integer(notification.version),
            "type": .string(notification.type), "subtype": .text(notification.subtype),
            "originalTransactionId": .text(notification.originalTransactionID), "receivedAt": .instant(notification.receivedAt),
            "body": .string(String(decoding: body, as: UTF8.self)),
        ])
    }

    /// The signatures of a request.
    static func json(_ entry: LedgerEntry) -> JSONValue {
        .members([
            "signedAt": .instant(entry.signedAt), "keyIdentifier": .string(entry.keyID), "form": .string(entry.form.name),
            "caller": .string(entry.request.caller), "customerId": .text(entry.request.customerID),
            "applicationUsername": .text(entry.request.applicationUsername), "transactionId": .text(entry.request.transactionID),
            "requestId": .string(entry.request.id), "address": .text(entry.request.address),
            "offers": .array(
                entry.signatures.map { signature in
                    .members([
                        "productId": .string(signature.productID), "offerId": .string(signature.offerID),
                        "transactionId": .text(signature.transactionID), "nonce": .string(signature.nonce.lowerCaseString),
                        "digest": .string(Crypto.hexadecimal(signature.digest)),
                    ])
                }),
        ])
    }

    /// The refusals of a request.
    static func json(_ refusals: LedgerRefusals) -> JSONValue {
        .members([
            "refusedAt": .instant(refusals.refusedAt), "caller": .string(refusals.request.caller),
            "customerId": .text(refusals.request.customerID),
            "applicationUsername": .text(refusals.request.applicationUsername),
            "transactionId": .text(refusals.request.transactionID),
            "requestId": .string(refusals.request.id), "address": .text(refusals.request.address),
            "offers": .array(
                refusals.offers.map { offer in
                    .members([
                        "productId": .string(offer.productID), "offerId": .string(offer.offerID), "reason": .string(offer.reason),
                        "transactionId": .text(offer.evidence),
                    ])
                }),
        ])
    }

    /// An exposure: a campaign has taken the customer.
    static func json(_ exposure: Exposure) -> JSONValue {
        .members([
            "exposedAt": .instant(exposure.at), "campaign": .string(exposure.arm.campaign),
            "revision": .integer(exposure.arm.revision),
            "variant": .text(exposure.arm.variant), "unit": .string(exposure.arm.unitKind.rawValue),
            "unitId": .string(exposure.unit),
            "caller": .string(exposure.source.caller), "storefront": .text(exposure.source.storefront),
            "appVersion": .text(exposure.source.appVersion), "nonce": .text(exposure.nonce?.lowerCaseString),
        ])
    }

    /// A hold: a campaign of an exclusion group has taken the customer, so no other campaign of the group may.
    static func json(_ hold: ExclusionHold) -> JSONValue {
        .members([
            "exclusionGroup": .string(hold.group), "campaign": .string(hold.campaign), "unit": .string(hold.unitKind.rawValue),
            "unitId": .string(hold.unit),
        ])
    }

    /// The customer's place among the testers of a campaign.
    static func json(_ tester: CampaignTester, of campaign: String) -> JSONValue {
        .members([
            "campaign": .string(campaign), "variant": .string(tester.variant), "unit": .string(tester.kind.rawValue),
            "unitId": .string(tester.id), "note": .string(tester.note),
        ])
    }

    /// What the customer has met of a campaign as a tester.
    static func json(rehearsal exposure: Exposure) -> JSONValue {
        .members([
            "metAt": .instant(exposure.at), "campaign": .string(exposure.arm.campaign),
            "revision": .integer(exposure.arm.revision),
            "variant": .text(exposure.arm.variant), "unit": .string(exposure.arm.unitKind.rawValue),
            "unitId": .string(exposure.unit),
            "nonce": .text(exposure.nonce?.lowerCaseString),
        ])
    }

    /// An event about the customer.
    static func json(_ event: AuditEvent) -> JSONValue {
        .members([
            "at": .instant(event.at), "actor": .string(event.actor), "action": .string(event.action),
            "subject": .text(event.object.id), "before": .text(event.object.before), "after": .text(event.object.after),
            "reason": .text(event.reason), "requestId": .text(event.requestID), "customerId": .text(event.personal.customerID),
            "transactionId": .text(event.personal.transactionID), "address": .text(event.personal.address),
        ])
    }
}
