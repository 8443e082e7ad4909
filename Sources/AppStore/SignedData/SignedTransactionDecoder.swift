package import EligibilityRules
package import WireText

/// Decodes StoreKit 2 transactions (`signedTransactionInfo`).
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
    /// - Parameter notice: what the notification around the transaction adds about a refund; nil if there is no notification, or
    ///   if it adds nothing.
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
        // If the field is present but is not a known number, the transaction has an offer of a kind that is not known here.
        guard let type = payload["offerType"], type != .null else { return nil }
        let known = payload.code("offerType").flatMap(UInt8.init(exactly:)).flatMap(RedeemedOffer.Kind.init)
        let kind = known ?? .unrecognised
        return RedeemedOffer(kind: kind, id: kind == .introductory ? nil : payload.text("offerIdentifier"))
    }
}

/// Decodes what a signed transaction says about its price, its seats and their refund.
enum SignedSale {
    /// The `revocationPercentage` with which Apple states a refund of the whole price.
    private static let wholePercentage: Int64 = 100_000

    /// Returns the terms of the sale; nil if nothing is stated.
    ///
    /// - Parameter refundsSeats: whether the transaction comes with a notification about a refund of seats.
    static func sale(_ payload: AppleObject, _ stamp: Stamp, refundsSeats: Bool) -> Sale? {
        Sale(
            price: payload.integer("price"), currency: payload.text("currency"), storefront: payload.text("storefront"),
            discount: payload.text("offerDiscountType"), seats: seats(payload),
            refund: Stamped(refund(payload, refundsSeats: refundsSeats), stamp))
    }

    /// Whether the transaction says that some, but not all, of its seats were refunded.
    static func hasSeatsLeft(_ payload: AppleObject) -> Bool {
        guard let revoked = revokedSeats(payload), let all = payload.integer("quantity") else { return false }
        return revoked < all
    }

    private static func revokedSeats(_ payload: AppleObject) -> Int64? {
        payload.object("multiSeatInfo")?.integer("revokedSeatQuantity")
    }

    /// Returns the price of all seats; nil for a sale without seats.
    ///
    /// It is the sum of all price tiers, because `price` is only the average price of a seat. If there are several seats but no
    /// tiers, it is `price` times the number of seats.
    private static func seats(_ payload: AppleObject) -> Sale.Seats? {
        let quantity = payload.integer("quantity")
        let info = payload.object("multiSeatInfo")
        // For any other transaction there is nothing to calculate, because its `price` is already that of all pieces together.
        guard info != nil || (payload.text("type") == "Auto-Renewable Subscription" && quantity.map { $0 != 1 } ?? false) else {
            return nil
        }
        let tiers: [(price: Int64?, quantity: Int64?)]
        if let info, let listed = info["priceTiers"], listed != .null {
            guard case .array(let values) = listed else { return .unknown }
            tiers = values.map { AppleObject($0) }.map { ($0?.integer("price"), $0?.integer("quantity")) }
        } else {
            tiers = [(payload.integer("price"), quantity)]
        }
        var (sum, count): (Int64, Int64) = (0, 0)
        for tier in tiers {
            guard let price = tier.price, let seats = tier.quantity, price >= 0, seats > 0 else { return .unknown }
            let (product, overflow) = price.multipliedReportingOverflow(by: seats)
            let (total, overflows) = sum.addingReportingOverflow(product)
            guard !overflow, !overflows else { return .unknown }
            (sum, count) = (total, count + seats)
        }
        return count > 0 && quantity.map { $0 == count } ?? true ? .charged(sum) : .unknown
    }

    private static func refund(_ payload: AppleObject, refundsSeats: Bool) -> Refund {
        // The percentage refers to the price of all seats, so it takes precedence over the number of refunded seats.
        if let value = payload["revocationPercentage"], value != .null {
            guard let percentage = payload.code("revocationPercentage"), (0...wholePercentage).contains(percentage) else {
                return .unknown
            }
            return .part(percentage, of: wholePercentage)
        }
        if let revoked = revokedSeats(payload), revoked != 0 {
            guard let all = payload.integer("quantity"), (0...all).contains(revoked) else { return .unknown }
            return .part(revoked, of: all)
        }
        switch payload.text("revocationType") {
        case nil, "REFUND_FULL", "FAMILY_REVOKE": return refundsSeats ? .unknown : .none
        default: return .unknown
        }
    }
}
