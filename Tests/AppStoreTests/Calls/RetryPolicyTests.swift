import EligibilityRules
import Testing

@testable import AppStore

@Suite("Retry policy")
struct RetryPolicyTests {
    private let policy = RetryPolicy(maxAttempts: 6, baseDelay: 100, maxDelay: 1000, maxWait: 5000)

    @Test(
        "The longest pause doubles up to a limit, and chance chooses within it",
        arguments: [
            (1, 1.0, 100), (2, 1.0, 200), (3, 0.5, 200), (4, 1.0, 800), (5, 1.0, 1000), (1, 0.0, 0), (1, 7, 100), (1, -7, 0),
        ])
    func backoff(attempt: Int, random: Double, milliseconds: Int64) {
        #expect(policy.decision(after: attempt, random: random, now: 0) == .wait(milliseconds: milliseconds))
    }

    @Test("After the last attempt there is none", arguments: [6, 7, Int.max])
    func exhausted(attempt: Int) {
        #expect(policy.decision(after: attempt, random: 0.5, now: 0) == .giveUp)
        #expect(RetryPolicy(maxAttempts: 1).decision(after: 1, random: 0, now: 0) == .giveUp)
    }

    @Test(
        "What the App Store asks for is waited for, unless it is too long",
        arguments: [
            (10_050, RetryPolicy.Decision.wait(milliseconds: 100)), (10_500, .wait(milliseconds: 500)),
            (15_000, .wait(milliseconds: 5000)), (15_001, .giveUp), (9000, .wait(milliseconds: 100)), (Int64.max, .giveUp),
        ] as [(Int64, RetryPolicy.Decision)])
    func notBefore(instant: Int64, decision: RetryPolicy.Decision) {
        #expect(policy.decision(after: 1, random: 1, notBefore: Instant(milliseconds: instant), now: 10_000) == decision)
    }

    @Test("Numbers at their limits do no harm")
    func extremes() {
        let policy = RetryPolicy(maxAttempts: .max, baseDelay: .max, maxDelay: 9, maxWait: .max)
        #expect(policy.decision(after: 100, random: 1, now: 0) == .wait(milliseconds: 9))
        let now = Instant(milliseconds: -5)
        #expect(policy.decision(after: .min, random: 1, notBefore: Instant(milliseconds: .max), now: now) == .giveUp)
    }
}
