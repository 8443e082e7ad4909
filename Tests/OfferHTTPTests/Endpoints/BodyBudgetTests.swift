import Testing

@testable import OfferHTTP
@testable import OfferService

@Suite("Body budget")
struct BodyBudgetTests {
    private let budget = BodyBudget(limit: 1 << 20)

    @Test("Strangers get a quarter, and leave the rest for the others")
    func strangers() {
        #expect(budget.take(1 << 18, isUnauthenticated: true))
        #expect(!budget.take(1, isUnauthenticated: true))
        #expect(budget.take(3 << 18, isUnauthenticated: false))
        #expect(!budget.take(1, isUnauthenticated: false))
        budget.give(1 << 18, isUnauthenticated: true)
        #expect(budget.take(1 << 18, isUnauthenticated: false))
        #expect(!budget.take(1, isUnauthenticated: true))
        budget.give(1 << 20, isUnauthenticated: false)
        #expect(budget.take(1 << 18, isUnauthenticated: true))
    }

    @Test("What was refused takes nothing")
    func refused() {
        #expect(!budget.take((1 << 20) + 1, isUnauthenticated: false))
        #expect(budget.take((1 << 20) - 10, isUnauthenticated: false))
        #expect(!budget.take(11, isUnauthenticated: true))
        #expect(budget.take(10, isUnauthenticated: true))
    }
}
