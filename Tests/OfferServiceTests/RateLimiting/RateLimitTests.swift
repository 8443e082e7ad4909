import Testing

@testable import OfferService

@Suite("Rate limit")
struct RateLimitTests {
    private static let second: Int64 = 1_000_000_000

    @Test("A burst passes, the next request waits its turn")
    func burst() {
        let limit = RateLimit(requestsPerSecond: 10, burst: 5)
        let state = RateState()
        let start = RateLimitTests.second
        for used in 1...5 {
            let verdict = limit.admit(state, now: start)
            #expect(verdict.isAllowed)
            #expect(verdict.remaining == Int64(5 - used))
        }
        let refused = limit.admit(state, now: start)
        #expect(!refused.isAllowed)
        #expect(refused.retryAfterSeconds == 1)
        #expect(!limit.admit(state, now: start + RateLimitTests.second / 10 - 1).isAllowed)
        #expect(limit.admit(state, now: start + RateLimitTests.second / 10).isAllowed)
    }

    @Test("If the rate changes, what a caller has used is counted in the new one")
    func change() {
        let (slow, fast) = (RateLimit(requestsPerSecond: 1, burst: 10), RateLimit(requestsPerSecond: 100, burst: 10))
        let state = RateState()
        for _ in 1...10 { #expect(slow.admit(state, now: 0).isAllowed) }
        #expect(!slow.admit(state, now: 0).isAllowed && !fast.admit(state, now: 0).isAllowed)
        #expect(fast.admit(state, now: RateLimitTests.second / 100).isAllowed)
        #expect(slow.admit(state, now: RateLimitTests.second / 100).resetSeconds == 10)
    }

    @Test("Refused requests cost nothing")
    func refusalIsFree() {
        let limit = RateLimit(requestsPerSecond: 1, burst: 1)
        let state = RateState()
        #expect(limit.admit(state, now: 0).isAllowed)
        for _ in 0..<100 { #expect(!limit.admit(state, now: 1).isAllowed) }
        #expect(limit.admit(state, now: RateLimitTests.second).isAllowed)
    }

    @Test("What costs more than a burst passes once the burst is there, and the rest is owed")
    func debt() {
        let limit = RateLimit(requestsPerSecond: 1, burst: 5)
        let state = RateState()
        let verdict = limit.admit(state, now: 0, cost: 20)
        #expect(verdict.isAllowed && verdict.remaining == 0 && verdict.resetSeconds == 20)
        #expect(!limit.admit(state, now: 15 * RateLimitTests.second, cost: 1).isAllowed)
        #expect(limit.admit(state, now: 16 * RateLimitTests.second, cost: 1).isAllowed)
        #expect(limit.admit(state, now: 20 * RateLimitTests.second, cost: 20).retryAfterSeconds == 1)
        #expect(limit.admit(state, now: 21 * RateLimitTests.second, cost: 20).isAllowed)
    }

    @Test("What turns out to cost more afterwards is owed, and refused only to who owes already")
    func afterwards() {
        let limit = RateLimit(requestsPerSecond: 1, burst: 5)
        let state = RateState()
        #expect(limit.admit(state, now: 0).isAllowed)
        #expect(limit.admit(state, now: 0, cost: 20, needed: 0).isAllowed)
        #expect(!limit.admit(state, now: 0, cost: 20, needed: 0).isAllowed)
        #expect(!limit.admit(state, now: 16 * RateLimitTests.second).isAllowed)
        #expect(limit.admit(state, now: 17 * RateLimitTests.second).isAllowed)
    }

    @Test("Replicas that share a rate let in as much as one would")
    func shared() {
        let limit = RateLimit(requestsPerSecond: 100, burst: 20)
        let states = [RateState(), RateState(), RateState()]
        let allowed = states.map { state in
            (0..<10_000).count { limit.admit(state, now: Int64($0) * RateLimitTests.second / 1000, replicas: 3).isAllowed }
        }
        #expect((1000...1021).contains(allowed.reduce(0, +)))
        let decision = limit.admit(RateState(), now: 0, replicas: 3)
        #expect(decision.remaining == 5 && decision.limit == limit)
        // However many they are, each lets one in.
        #expect(limit.admit(RateState(), now: 0, replicas: 100).isAllowed)
    }

    @Test("Over a long time the rate is what was set")
    func sustained() {
        let limit = RateLimit(requestsPerSecond: 100, burst: 20)
        let state = RateState()
        let allowed = (0..<10_000).count { limit.admit(state, now: Int64($0) * RateLimitTests.second / 1000).isAllowed }
        #expect((1000...1021).contains(allowed))
    }

    @Test("Concurrent callers share one rate")
    func concurrency() async {
        let limit = RateLimit(requestsPerSecond: 1, burst: 500)
        let state = RateState()
        let allowed = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<8 { group.addTask { (0..<200).count { _ in limit.admit(state, now: 5).isAllowed } } }
            return await group.reduce(0, +)
        }
        #expect(allowed == 500)
    }
}
