import EligibilityRules
import Foundation
import OfferStore
import OfferStoreTesting
import Testing

@Suite("What a reservation needs")
struct LimitNeedsTests {
    private func needs(_ rule: Reservation.Rule, isReuse: Bool = false) -> LimitNeeds {
        LimitNeeds(
            Reservation(
                scope: .sample, rule: rule, names: .sample(["a"]), madeAt: .testNow, expiresAt: .testNow, nonce: UUID(),
                isReuse: isReuse))
    }

    @Test("Nothing is read for what can refuse nothing, nor for totals")
    func needs() {
        #expect(needs(.uses(LimitTerms())) == [])
        #expect(needs(.uses(LimitTerms()), isReuse: true) == .reuse)
        #expect(needs(.uses(LimitTerms(redeemed: 3))) == .count)
        #expect(needs(.uses(LimitTerms(redeemed: 3)), isReuse: true) == [.count, .reuse])
        #expect(needs(.total(3, countsRefunded: true), isReuse: true) == [])
    }
}
