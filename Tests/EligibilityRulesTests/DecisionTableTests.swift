import EligibilityRules
import Testing

@Suite("Decision table", .serialized)
struct DecisionTableTests {
    private static let renewal = "docs/eligibility.md differs; run: UPDATE_DOCUMENTS=1 swift test --filter DecisionTable"

    @Test("Every row is decided as it says", arguments: DecisionTable.rows)
    func row(_ row: DecisionRow) throws {
        let customer = row.customer
        let product = try #require(Shop.catalogue.product(row.product))
        let subscription = customer.subscription(inGroup: Shop.group)
        #expect(subscription.state == row.state)
        #expect(subscription.transaction?.productID == row.subscribed)
        #expect(IntroductoryOfferRule.verdict(on: product, for: customer) == row.introductory)
        #expect(PromotionalOfferRule.verdict(on: row.offer, of: product, for: customer) == row.promotional)
        #expect(WinBackOfferRule.offerIDs(inGroup: Shop.group, for: customer) == row.winBackOffers)
    }

    @Test("No two rows have the same name")
    func names() {
        #expect(Set(DecisionTable.rows.map(\.name)).count == DecisionTable.rows.count)
    }

    @Test("Every reason of the rules stands in a row")
    func reasons() {
        let shown = Set(DecisionTable.rows.flatMap { $0.introductory.reasons + $0.promotional.reasons })
        // A missing customer, and an offer of another billing plan, are found before the rules are asked; a used-up limit, or no
        // campaign offer, after that.
        #expect(
            Set(Reason.allCases).subtracting(shown) == [
                .customerNotNamed, .offerLimitReached, .noCampaignOffer, .otherBillingPlan,
            ])
    }

    @Test("Codes are kebab-case, and sentences need no escaping in JSON", arguments: Reason.allCases)
    func texts(reason: Reason) {
        #expect(reason.code.allSatisfy { $0 == "-" || ("a"..."z").contains($0) })
        #expect("\(reason.message)".unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "\"" && $0 != "\\" })
        #expect("\(reason.message)".hasSuffix("."))
    }

    @Test("The manual has the table")
    func table() throws {
        #expect(try Manual("docs/eligibility.md").carries(DecisionTable.markdown, between: "decision table"), "\(Self.renewal)")
    }

    @Test("The manual has the reasons")
    func manualReasons() throws {
        #expect(try Manual("docs/eligibility.md").carries(DecisionTable.reasons, between: "reasons"), "\(Self.renewal)")
    }
}
