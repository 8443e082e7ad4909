import Testing

@testable import OfferHTTP
@testable import OfferService

@Suite("Body budget")
struct BodyBudgetTests {
    private let budget = BodyBudget(limit: 1 << 20)

    @Test("Strangers get a quarter, and leave the rest for the others")
    func strangers() {
        #expect(budget.take(1 << 18, for: .unauthenticated))
        #expect(!budget.take(1, for: .unauthenticated))
        #expect(budget.take(3 << 18, for: .authenticated))
        #expect(!budget.take(1, for: .authenticated))
        budget.give(1 << 18, of: .unauthenticated)
        #expect(budget.take(1 << 18, for: .authenticated))
        #expect(!budget.take(1, for: .unauthenticated))
        budget.give(1 << 20, of: .authenticated)
        #expect(budget.take(1 << 18, for: .unauthenticated))
    }

    @Test("A stranger's large body leaves room for the usual ones, and half of all for others")
    func documents() {
        let budget = BodyBudget(limit: 64 << 20)
        var large = BodyShare(of: budget, isUnauthenticated: true)
        var second = BodyShare(of: budget, isUnauthenticated: true)
        let (first, other) = (large.grow(to: 16 << 20), second.grow(to: 16 << 20))
        #expect(first && !other)
        for _ in 0..<16 { #expect(budget.take((1 << 20) - BodyBudget.free, for: .unauthenticated)) }
        #expect(budget.take(32 << 20, for: .authenticated))
        let small = second.grow(to: (1 << 20) + 1)
        #expect(!small)
        // It has its place as long as it is there.
        let whole = large.grow(to: 16 << 20)
        #expect(whole)
    }

    @Test("A body that grows beyond the usual size takes its room among the large ones only")
    func growing() {
        let budget = BodyBudget(limit: 64 << 20)
        do {
            var share = BodyShare(of: budget, isUnauthenticated: true)
            for size in 1...3 {
                let hasRoom = share.grow(to: size << 20)
                #expect(hasRoom)
            }
            #expect(budget.take(16 << 20, for: .unauthenticated))
            #expect(!budget.take(14 << 20, for: .unauthenticatedDocuments))
            budget.give(16 << 20, of: .unauthenticated)
            let whole = share.grow(to: 3 << 20)
            #expect(whole)
        }
        #expect(budget.take(64 << 20, for: .authenticated))
    }

    @Test("What was refused takes nothing")
    func refused() {
        #expect(!budget.take((1 << 20) + 1, for: .authenticated))
        #expect(budget.take((1 << 20) - 10, for: .authenticated))
        #expect(!budget.take(11, for: .unauthenticated))
        #expect(!budget.take(11, for: .unauthenticatedDocuments))
        #expect(budget.take(10, for: .unauthenticated))
    }
}
