import EligibilityRules
import Testing

@testable import AppStore

@Suite("Signed renewal information")
struct SignedRenewalInfoDecoderTests {
    private func decode(_ fields: String) throws -> PurchaseChain? {
        try SignedRenewalInfoDecoder.chain(Samples.json("{\(fields)}"))
    }

    private let least = #""originalTransactionId":"1","autoRenewStatus":1,"signedDate":5000"#
    private let stamp = Stamp(asOf: 5000, source: .signedData)

    @Test("Renewal and win-back offers are read, and no transaction")
    func everything() throws {
        let chain = try decode(
            """
            "originalTransactionId":"1","productId":"p","autoRenewProductId":"q","autoRenewStatus":0,"expirationIntent":2,
            "isInBillingRetryPeriod":true,"gracePeriodExpiresDate":9000,"signedDate":5000.25,"environment":"Production",
            "eligibleWinBackOfferIds":["best","second",7,null],"appAccountToken":"ABCDEF00-0000-4000-8000-000000000000"
            """)
        let renewal = RenewalState(
            willRenew: false, nextProductID: "q", isInBillingRetry: true, gracePeriodExpiresAt: 9000, expirationIntent: 2)
        #expect(
            chain
                == PurchaseChain(
                    originalID: "1",
                    account: .init(appAccountToken: Stamped(ExactText("abcdef00-0000-4000-8000-000000000000"), stamp)),
                    environment: .production,
                    outlook: .init(
                        renewal: Stamped(renewal, stamp), winBackOffers: Stamped(OfferIDs(["best", "second", "7"]), stamp))
                ))
    }

    @Test("An empty list of win-back offers says that there are none, as no list does once the subscription has lapsed")
    func winBackOffers() throws {
        #expect(try decode(least + #","eligibleWinBackOfferIds":[]"#)?.winBackOffers == Stamped(OfferIDs([]), stamp))
        #expect(try decode(least)?.winBackOffers == nil)
        let lapsed = #""originalTransactionId":"1","autoRenewStatus":0,"expirationIntent":1,"signedDate":5000"#
        #expect(try decode(lapsed)?.winBackOffers == Stamped(OfferIDs([]), stamp))
        #expect(try decode(least + #","eligibleWinBackOfferIds":null"#)?.winBackOffers == nil)
        #expect(try decode(least + #","eligibleWinBackOfferIds":"best""#)?.winBackOffers == nil)
    }

    @Test("Unknown reasons of expiry are kept as they are", arguments: [0, 6, 300, -1])
    func unknownIntent(value: Int64) throws {
        let renewal = try #require(try decode("\(least),\"expirationIntent\":\(value)")?.renewal?.value)
        #expect(renewal.expirationIntent == value)
        #expect(renewal.particulars?.facts == [.init(name: "expirationIntent", value: "\(value)", isRecognised: false)])
    }

    @Test(
        "A value that is not a whole number is not stated, and kept as not recognised",
        arguments: [
            ("autoRenewStatus", "0.5"), ("autoRenewStatus", #""1""#), ("autoRenewStatus", "true"), ("expirationIntent", "1.5"),
            ("expirationIntent", #""2""#), ("priceIncreaseStatus", "0.5"), ("priceIncreaseStatus", #""1""#),
            ("offerType", "1.5"),
        ])
    func fractions(field: String, value: String) throws {
        let fields = #""originalTransactionId":"1","autoRenewProductId":"p","signedDate":5000,"\#(field)":\#(value)"#
        let renewal = try #require(try decode(fields)?.renewal?.value)
        #expect(renewal.willRenew == nil && renewal.expirationIntent == nil && renewal.priceConsent == nil)
        let said = value.replacing("\"", with: "")
        #expect(renewal.particulars?.facts == [.init(name: field, value: said, isRecognised: false)])
    }

    @Test(
        "Without the subscription's id, or without a word about renewing, it is none",
        arguments: [
            #""autoRenewStatus":1"#, #""originalTransactionId":"","autoRenewStatus":1"#,
            #""originalTransactionId":"1","transactionId":"2","productId":"p","purchaseDate":1000"#,
        ])
    func unusable(fields: String) throws {
        #expect(try decode(fields) == nil)
    }
}
