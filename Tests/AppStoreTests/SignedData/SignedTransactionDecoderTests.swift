import EligibilityRules
import Testing

@testable import AppStore

@Suite("Signed transactions")
struct SignedTransactionDecoderTests {
    private func decode(_ fields: String) throws -> PurchaseChain? {
        try SignedTransactionDecoder.chain(Samples.json("{\(fields)}"))
    }

    private let least = #""transactionId":"2","productId":"p","purchaseDate":1000"#

    @Test("A period of a subscription is read with everything that it says")
    func subscription() throws {
        let chain = try decode(
            """
            "transactionId":"1000000666268121","originalTransactionId":"1000000666265459","webOrderLineItemId":"1",
            "bundleId":"com.iksocial.queen","productId":"queen.plan1","subscriptionGroupIdentifier":"20563228",
            "purchaseDate":1589798537000,"originalPurchaseDate":1589798239000.5,"expiresDate":1589798837000,"quantity":1,
            "type":"Auto-Renewable Subscription","appAccountToken":"7E3FB20B-4CDB-47CC-936D-99D65F608138",
            "inAppOwnershipType":"PURCHASED","signedDate":1589799000000,"offerType":2,"offerIdentifier":"half",
            "environment":"Sandbox","isUpgraded":true,"something":{"new":[1]}
            """)
        let stamp = Stamp(asOf: 1_589_799_000_000, source: .signedData)
        #expect(
            chain
                == PurchaseChain(
                    originalID: "1000000666265459",
                    groupID: "20563228",
                    account: .init(appAccountToken: Stamped(ExactText("7e3fb20b-4cdb-47cc-936d-99d65f608138"), stamp)),
                    beginning: .init(originallyPurchasedAt: 1_589_798_239_000),
                    environment: .sandbox,
                    transactions: [
                        PurchaseTransaction(
                            id: "1000000666268121",
                            productID: "queen.plan1",
                            purchasedAt: 1_589_798_537_000,
                            kind: .autoRenewableSubscription,
                            ownership: .purchased,
                            terms: .init(lineItemID: "1", offer: RedeemedOffer(kind: .promotional, id: "half")),
                            course: .init(isUpgraded: true),
                            state: .init(expiry: Stamped(1_589_798_837_000, stamp), revocation: Stamped(.none, stamp))
                        )
                    ]
                ))
    }

    @Test("What is missing is not stated, except that nothing was refunded or revoked")
    func leastFields() throws {
        let chain = try #require(try decode(least))
        let stamp = Stamp(asOf: 1000, source: .signedData)
        #expect(chain.originalID == "2")
        #expect(
            chain.transactions == [
                PurchaseTransaction(id: "2", productID: "p", purchasedAt: 1000, state: .init(revocation: Stamped(.none, stamp)))
            ])
        #expect(chain.environment == nil && chain.renewal == nil && chain.winBackOffers == nil && !chain.isListedFromStart)
    }

    @Test("A revocation is stated with its date")
    func revocation() throws {
        let chain = try decode(least + #","signedDate":5000,"revocationDate":4000,"revocationReason":0"#)
        #expect(chain?.transactions[0].revocation == Stamped(.revoked(at: 4000), Stamp(asOf: 5000, source: .signedData)))
    }

    @Test("The refund of an upgraded period counts, and a reversal of a refund is stated as such")
    func upgraded() throws {
        let refunded = try decode(least + #","signedDate":5000,"revocationDate":4000,"isUpgraded":true"#)?.transactions[0]
        #expect(refunded?.isUpgraded == true && refunded?.revokedAt == 4000 && refunded?.reversal == nil)
        let reversed = try SignedTransactionDecoder.chain(
            Samples.json("{\(least),\"signedDate\":6000}"), notice: .reversal)?.transactions[0]
        #expect(reversed?.reversal == Stamp(asOf: 6000, source: .signedData) && reversed?.revokedAt == nil)
    }

    @Test("Xcode's line item 0 is none")
    func noLineItem() throws {
        #expect(try decode(least + #","webOrderLineItemId":"0""#)?.transactions[0].lineItemID == nil)
    }

    @Test("A refund of some seats leaves the transaction valid, and one of all does not", arguments: [(2, false), (5, true)])
    func seats(revoked: Int, isRevoked: Bool) throws {
        let chain = try decode(
            least + #","signedDate":5000,"revocationDate":4000,"quantity":5,"multiSeatInfo":{"revokedSeatQuantity":\#(revoked)}"#)
        #expect((chain?.transactions[0].revokedAt != nil) == isRevoked)
    }

    @Test("Renewals, and transactions that share a period, are marked, whatever the reason", arguments: ["SEAT_ADDITION", "NEW"])
    func marks(reason: String) throws {
        let fields = #","transactionReason":"RENEWAL","additionalTransactionReason":"\#(reason)""#
        let transaction = try #require(try decode(least + fields)?.transactions[0])
        #expect(transaction.isRenewal && transaction.sharesPeriod)
        #expect(transaction.particulars?.value.value(of: "additionalTransactionReason") == reason)
        let plain = try #require(try decode(least + #","transactionReason":"PURCHASE""#)?.transactions[0])
        #expect(!plain.isRenewal && !plain.sharesPeriod)
    }

    @Test(
        "Without an id, a product or a purchase date there is no transaction",
        arguments: [
            #""productId":"p","purchaseDate":1000"#, #""transactionId":"","productId":"p","purchaseDate":1000"#,
            #""transactionId":"2","purchaseDate":1000"#, #""transactionId":"2","productId":"p""#,
            #""transactionId":"2","productId":"p","purchaseDate":1e400"#, #""transactionId":{},"productId":"p","purchaseDate":1"#,
            "",
        ])
    func unusable(fields: String) throws {
        #expect(try decode(fields) == nil)
    }

    @Test(
        "Offers are recognised by their type; of an unknown type they are offers all the same",
        arguments: [
            (#""offerType":1"#, RedeemedOffer(kind: .introductory)),
            (#""offerType":1,"offerIdentifier":"x""#, RedeemedOffer(kind: .introductory)),
            (#""offerType":2,"offerIdentifier":"x""#, RedeemedOffer(kind: .promotional, id: "x")),
            (#""offerType":3,"offerIdentifier":"x""#, RedeemedOffer(kind: .offerCode, id: "x")),
            (#""offerType":3.0,"offerIdentifier":"x""#, RedeemedOffer(kind: .offerCode, id: "x")),
            (#""offerType":"3","offerIdentifier":"x""#, RedeemedOffer(kind: .unrecognised, id: "x")),
            (#""offerType":1.5"#, RedeemedOffer(kind: .unrecognised)),
            (#""offerType":0.999"#, RedeemedOffer(kind: .unrecognised)),
            (#""offerType":4,"offerIdentifier":"x""#, RedeemedOffer(kind: .winBack, id: "x")),
            (#""offerType":2"#, RedeemedOffer(kind: .promotional)),
            (#""offerType":5,"offerIdentifier":"x""#, RedeemedOffer(kind: .retention, id: "x")),
            (#""offerType":6,"offerIdentifier":"x""#, RedeemedOffer(kind: .unrecognised, id: "x")),
            (#""offerType":257"#, RedeemedOffer(kind: .unrecognised)), (#""offerType":-1"#, RedeemedOffer(kind: .unrecognised)),
            (#""offerType":"RETENTION""#, RedeemedOffer(kind: .unrecognised)), (#""offerIdentifier":"x""#, nil),
        ])
    func offers(fields: String, offer: RedeemedOffer?) throws {
        #expect(try decode("\(least),\(fields)")?.transactions[0].offer == offer)
    }

    @Test(
        "Types and environments are recognised by Apple's names; unknown ones are known to be unknown",
        arguments: [
            ("Auto-Renewable Subscription", ProductKind.autoRenewableSubscription, "Production", PurchaseEnvironment.production),
            ("Non-Consumable", .nonConsumable, "Sandbox", .sandbox), ("Consumable", .consumable, "Xcode", .local),
            ("Non-Renewing Subscription", .nonRenewingSubscription, "LocalTesting", .local),
            ("Rental", .unrecognised, "Mars", .unrecognised),
        ])
    func names(type: String, kind: ProductKind?, environment: String, expected: PurchaseEnvironment?) throws {
        let chain = try decode(#"\#(least),"type":"\#(type)","environment":"\#(environment)""#)
        #expect(chain?.transactions[0].kind == kind)
        #expect(chain?.environment == expected)
    }

    @Test(
        "Ownership is recognised by Apple's names",
        arguments: [
            ("PURCHASED", Ownership.purchased), ("FAMILY_SHARED", .familyShared), ("ASSIGNED", .assigned),
            ("LENT", .unrecognised),
        ])
    func ownership(name: String, ownership: Ownership?) throws {
        #expect(try decode(#"\#(least),"inAppOwnershipType":"\#(name)""#)?.transactions[0].ownership == ownership)
    }

    private static let tiers =
        #""price":9240,"quantity":8,"multiSeatInfo":{"priceTiers":"#
        + #"[{"price":9990,"quantity":5},{"price":7990,"quantity":3}]"#

    @Test(
        "A price is that of all pieces, and of seats the sum of their tiers, if it can be read",
        arguments: [
            (#""price":9990"#, 9990, 9990), (#""price":9990,"quantity":1"#, 9990, 9990),
            (#""price":3000,"quantity":3,"type":"Consumable""#, 3000, 3000), (#""price":9.99"#, nil, nil),
            ("\(tiers)}", 9240, 73_920), (#"\#(tiers),"invitationManagement":"APPLE"}"#, 9240, 73_920),
            (#""price":9990,"quantity":5,"type":"Auto-Renewable Subscription""#, 9990, 49_950),
            (#""price":9990,"quantity":5,"multiSeatInfo":{}"#, 9990, 49_950),
            (#""price":9990,"quantity":5,"multiSeatInfo":{"priceTiers":null}"#, 9990, 49_950),
            (#""price":9990,"multiSeatInfo":{"priceTiers":[{"price":9990,"quantity":5}]}"#, 9990, 49_950),
            // Tiers that contradict the number of seats, or cannot be read.
            (#""price":9990,"quantity":4,"multiSeatInfo":{"priceTiers":[{"price":9990,"quantity":5}]}"#, 9990, nil),
            (#""price":9990,"quantity":5,"multiSeatInfo":{"priceTiers":[]}"#, 9990, nil),
            (#""price":9990,"quantity":5,"multiSeatInfo":{"priceTiers":{"price":9990,"quantity":5}}"#, 9990, nil),
            (#""price":9990,"quantity":5,"multiSeatInfo":{"priceTiers":[{"price":9990}]}"#, 9990, nil),
            (#""price":9990,"quantity":5,"multiSeatInfo":{"priceTiers":[{"price":9990.5,"quantity":5}]}"#, 9990, nil),
            (#""price":9990,"quantity":5,"multiSeatInfo":{"priceTiers":[{"price":4e15,"quantity":4e15}]}"#, 9990, nil),
            (#""price":9990,"multiSeatInfo":{"revokedSeatQuantity":2}"#, 9990, nil),
        ] as [(String, Int64?, Int64?)])
    func prices(fields: String, price: Int64?, charged: Int64?) throws {
        let sale = try decode(#"\#(least),"currency":"USD",\#(fields)"#)?.transactions[0].sale
        #expect(sale?.price == price && sale?.charged == charged)
    }

    @Test(
        "A refund in part is stated as a share; one whose size is not stated is known to be unknown",
        arguments: [
            (#""signedDate":5000"#, Refund.none), (#""revocationDate":4000"#, .none),
            (#""revocationDate":4000,"revocationType":"REFUND_FULL""#, .none),
            (#""revocationDate":4000,"revocationType":"FAMILY_REVOKE""#, .none),
            (#""revocationDate":4000,"revocationType":"REFUND_PRORATED","revocationPercentage":40"#, .part(40, of: 100_000)),
            (#""revocationDate":4000,"revocationType":"REFUND_FULL","revocationPercentage":100000"#, .part(100_000, of: 100_000)),
            (#""revocationDate":4000,"revocationType":"REFUND_PRORATED""#, .unknown),
            (#""revocationDate":4000,"revocationType":"REFUND_OF_2027""#, .unknown),
            (#""revocationDate":4000,"revocationPercentage":40000.5"#, .unknown),
            (#""revocationDate":4000,"revocationPercentage":"40000""#, .unknown),
            (#""revocationDate":4000,"revocationPercentage":100001"#, .unknown),
            (#""quantity":8,"multiSeatInfo":{"revokedSeatQuantity":2}"#, .part(2, of: 8)),
            (#""quantity":8,"multiSeatInfo":{"revokedSeatQuantity":0}"#, .none),
            (#""quantity":8,"multiSeatInfo":{"revokedSeatQuantity":9}"#, .unknown),
            (#""multiSeatInfo":{"revokedSeatQuantity":2}"#, .unknown),
            (#""quantity":8,"multiSeatInfo":{"revokedSeatQuantity":2},"revocationPercentage":21618"#, .part(21_618, of: 100_000)),
        ])
    func refunds(fields: String, refund: Refund) throws {
        let sale = try decode(#"\#(least),"price":9990,"currency":"USD",\#(fields)"#)?.transactions[0].sale
        #expect(sale?.refund?.value == refund)
    }

    @Test("Seats that a notification says were refunded, without their number, are a refund of unknown size")
    func refundOfSeats() throws {
        let payload = try Samples.json(#"{\#(least),"price":9990,"currency":"USD","quantity":5,"revocationDate":4000}"#)
        let transaction = try #require(SignedTransactionDecoder.chain(payload, notice: .ofSeats)?.transactions[0])
        #expect(transaction.revokedAt == nil && transaction.paid() == .unknown)
    }
}
