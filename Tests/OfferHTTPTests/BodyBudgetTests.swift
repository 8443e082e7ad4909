import Testing

@testable import OfferHTTP
@testable import OfferService

@Suite("Body budget")
struct BodyBudgetTests {
    private let budget = BodyBudget(limit: 1 << 20)

    @Test("Strangers get a quarter, and leave the rest for the others")
    func strangers() {
        #expect(budget.take(1 << 18, isStranger: true))
        #expect(!budget.take(1, isStranger: true))
        #expect(budget.take(3 << 18, isStranger: false))
        #expect(!budget.take(1, isStranger: false))
        budget.give(1 << 18, isStranger: true)
        #expect(budget.take(1 << 18, isStranger: false))
        #expect(!budget.take(1, isStranger: true))
        budget.give(1 << 20, isStranger: false)
        #expect(budget.take(1 << 18, isStranger: true))
    }

    @Test("What was refused takes nothing")
    func refused() {
        #expect(!budget.take((1 << 20) + 1, isStranger: false))
        #expect(budget.take((1 << 20) - 10, isStranger: false))
        #expect(!budget.take(11, isStranger: true))
        #expect(budget.take(10, isStranger: true))
    }
}
