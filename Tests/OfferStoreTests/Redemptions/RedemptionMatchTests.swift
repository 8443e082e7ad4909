import EligibilityRules
import OfferStore
import OfferStoreTesting
import Testing

@Suite("Which signatures a redemption may belong to")
struct RedemptionMatchTests {
    private static let purchase = PurchaseTransaction(
        id: "12", productID: "pro.monthly", purchasedAt: .hours(100),
        terms: .init(offer: RedeemedOffer(kind: .promotional, id: "half")))

    private func match(
        customer: String? = "ada",
        token: String? = "t",
        chain: PurchaseChain = PurchaseChain(originalID: "1", transactions: [purchase])
    ) throws -> RedemptionMatch {
        var match = RedemptionMatch(
            try #require(RedemptionRecord(Self.purchase)), partition: "com.example.app", customerID: customer,
            appAccountToken: token)
        match.add(transactionsOf: chain)
        return match
    }

    private func isMatch(
        _ match: RedemptionMatch,
        app: AppPartition = "com.example.app",
        customer: String? = nil,
        username: String? = nil,
        transaction: String? = nil,
        at instant: Instant = .hours(99)
    ) -> Bool {
        match.mayBeOf(
            partition: app, customerID: customer, applicationUsername: username, transactionID: transaction, signedAt: instant)
    }

    @Test(
        "Signed in the 24 hours before the purchase, by clocks that may be a minute apart",
        arguments: [
            (0, true), (60_000, true), (60_001, false), (-86_400_000, true), (-86_460_000, true), (-86_460_001, false),
        ] as [(Int64, Bool)])
    func window(milliseconds: Int64, isInTime: Bool) throws {
        let match = try match()
        let signedAt = Instant.hours(100).advanced(by: milliseconds)
        #expect(isMatch(match, customer: "ada", at: signedAt) == isInTime)
        #expect((match.first...match.last).contains(signedAt) == isInTime)
    }

    @Test("Any one id names the customer: the app's, the account token, a transaction of the same chain")
    func customers() throws {
        let match = try match()
        #expect(isMatch(match, customer: "ada"))
        #expect(isMatch(match, customer: "bob", username: "t"))
        #expect(isMatch(match, customer: "ada", username: "u", transaction: "9"))
        for id in ["1", "12"] { #expect(isMatch(match, customer: "bob", username: "u", transaction: id)) }
        #expect(!isMatch(match, customer: "bob", username: "u", transaction: "13"))
        #expect(!isMatch(match))
        #expect(!isMatch(match, app: "com.example.other", customer: "ada", username: "t", transaction: "1"))
    }

    @Test("Two unknown customers are not the same")
    func nobody() throws {
        let match = try match(customer: nil, token: nil)
        #expect(!isMatch(match))
        #expect(!isMatch(match, customer: "ada", username: "t"))
        #expect(isMatch(match, transaction: "1"))
    }

    @Test("Texts are compared byte by byte")
    func bytes() throws {
        let match = try match(customer: "\u{E9}", token: "\u{E9}", chain: PurchaseChain(originalID: "\u{E9}"))
        #expect(isMatch(match, customer: "\u{E9}") && isMatch(match, username: "\u{E9}") && isMatch(match, transaction: "\u{E9}"))
        let other = "e\u{301}"
        #expect(!isMatch(match, customer: other, username: other, transaction: other))
        #expect(match.isOf(productID: "pro.monthly", offerID: "half"))
        for (product, offer) in [("pro.monthly\u{301}", "half"), ("pro.monthly", "Half"), ("pro.yearly", "half")] {
            #expect(!match.isOf(productID: product, offerID: offer))
        }
        #expect(
            try !self.match(customer: "\u{212A}").mayBeOf(
                partition: "com.example.app", customerID: "K", applicationUsername: nil, transactionID: nil, signedAt: .hours(99))
        )
    }
}
