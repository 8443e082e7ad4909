import Testing

@testable import EligibilityRules

@Suite("Audience funnel")
struct AudienceFunnelTests {
    private static let refunds = Condition.test(ConditionTest(.refundsCount, .is, .number(0)))
    private static let first = Condition.test(ConditionTest(.customerDaysSinceFirstPurchase, .above, .number(-1)))
    private static let country = Condition.test(ConditionTest(.attribute("country"), .is, .text("US")))
    private static let plan = Condition.test(ConditionTest(.attribute("plan"), .is, .text("pro")))

    @Test(
        "What only callers can say is left out where it could let a customer in",
        arguments: [
            (Condition.all([refunds, country]), [refunds], ["country"]),
            (.all([country, plan, country]), [], ["country", "plan"]),
            (.any([refunds, country]), [], ["country"]),
            (.all([.any([refunds, first]), .any([plan, first])]), [.any([refunds, first])], ["plan"]),
            // A customer with another plan is let in, whatever was refunded.
            (.all([.not(country), .not(.all([refunds, plan])), first]), [first], ["country", "plan"]),
            (.not(.any([refunds, country])), [.not(.any([refunds]))], ["country"]),
            (.not(.not(.all([refunds, country]))), [.not(.not(.all([refunds])))], ["country"]),
            (.not(.any([.all([refunds, country]), first])), [.not(.any([first]))], ["country"]),
            (refunds, [refunds], []),
        ])
    func attributes(audience: Condition, stages: [Condition], names: [String]) throws {
        let funnel = try AudienceFunnel(audience, segments: .none)
        #expect(funnel.stages.map(\.condition) == stages)
        #expect(funnel.attributes == names)
    }

    @Test("It narrows by one condition after the other, and names those that exclude customers")
    func narrowing() throws {
        let funnel = try AudienceFunnel(.all([Self.refunds, Self.first, Self.country]), segments: .none)
        let customer = Customer(
            history: PurchaseHistory(), completeness: .complete, catalogue: Shop.catalogue, policy: EligibilityPolicy(),
            now: Month.now)
        let facts = CustomerFacts(of: customer, historyUpdatedAt: nil)
        // Who never bought anything has no first purchase.
        #expect(funnel.passes(facts) == 1)
        #expect(funnel.obstacles(facts) == [1])
        #expect(funnel.stages.map(\.path) == ["audience.all[0]", "audience.all[1]"])
        #expect(funnel.needsWholeHistory)
        #expect(try AudienceFunnel(nil, segments: .none).passes(facts) == 0)
    }

    @Test("What cannot be read is reported")
    func unreadable() {
        let nonsense = Condition.test(ConditionTest(.fact("no.such", group: nil), .is, .number(0)))
        #expect(throws: AudienceFunnel.Unreadable.self) { try AudienceFunnel(.all([Self.refunds, nonsense]), segments: .none) }
    }
}
