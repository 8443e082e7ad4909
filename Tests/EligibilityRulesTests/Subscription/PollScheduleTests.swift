import EligibilityRules
import Testing

@Suite("Poll schedule")
struct PollScheduleTests {
    private static let minute: Int64 = 60 * 1000
    private static let hour = 60 * minute
    private static let day = 24 * hour
    private static let end = Instant(milliseconds: 1_800_000_000_000)

    private func chain(
        environment: PurchaseEnvironment? = .production,
        showsFirst: Bool = true,
        revokedAt: Instant? = nil,
        renewal: RenewalState? = nil,
        statedAt: Int64 = 0
    ) -> PurchaseChain {
        let stamp = Stamp(asOf: Self.end.advanced(by: statedAt), source: .signedData)
        let period = PurchaseTransaction(
            id: showsFirst ? "1" : "2", productID: "pro", purchasedAt: Self.end.advanced(by: -30 * Self.day),
            state: .init(expiry: Stamped(Self.end, stamp), revocation: revokedAt.map { Stamped(.revoked(at: $0), stamp) }))
        return PurchaseChain(
            originalID: "1", environment: environment, transactions: [period],
            outlook: .init(renewal: renewal.map { Stamped($0, stamp) }))
    }

    /// When a chain is due, in ms from the end of its period; nil for never.
    private func due(_ chain: PurchaseChain, now: Int64, lastAsked: Int64? = nil) -> Int64? {
        PollSchedule.next(
            for: chain, after: Self.end.advanced(by: now), lastAsked: lastAsked.map { Self.end.advanced(by: $0) }
        ).map { $0.milliseconds - Self.end.milliseconds }
    }

    @Test("A subscription is asked about a day before its end, right after it, and ever more rarely")
    func course() {
        #expect(due(chain(), now: -20 * Self.day) == -Self.day)
        #expect(due(chain(), now: -Self.hour) == -Self.hour)
        #expect(due(chain(), now: -Self.hour, lastAsked: -2 * Self.hour) == Self.minute)
        #expect(due(chain(), now: 2 * Self.minute, lastAsked: -2 * Self.hour) == 2 * Self.minute)
        #expect(due(chain(), now: 2 * Self.minute, lastAsked: Self.minute) == 11 * Self.minute)
        #expect(due(chain(), now: 5 * Self.hour, lastAsked: 5 * Self.hour) == 6 * Self.hour)
        #expect(due(chain(), now: 5 * Self.day, lastAsked: 5 * Self.day) == 5 * Self.day + 6 * Self.hour)
        #expect(due(chain(), now: 30 * Self.day, lastAsked: 30 * Self.day) == 31 * Self.day)
    }

    @Test("A lapsed subscription is asked about once in a month or so, for two years, each on a day of its own")
    func sweep() throws {
        let next = try #require(due(chain(), now: 60 * Self.day, lastAsked: 60 * Self.day))
        #expect((75 * Self.day...105 * Self.day).contains(next))
        #expect(due(chain(), now: 600 * Self.day).map { $0 > 614 * Self.day } == true)
        #expect(due(chain(), now: 731 * Self.day) == nil)
        let days = Set((0..<100).map { id in sweepDay(of: "\(id)") })
        #expect(days.count > 20)
    }

    @Test("Without sweeps it ends with billing retry, or with the word that there will be no renewal")
    func withoutSweeps() throws {
        func due(_ chain: PurchaseChain, _ now: Int64) -> Int64? {
            let now = Self.end.advanced(by: now)
            return PollSchedule.next(for: chain, after: now, lastAsked: now, sweeps: false)
                .map { $0.milliseconds - Self.end.milliseconds }
        }
        #expect(due(chain(), -20 * Self.day) == -Self.day)
        #expect(due(chain(), 59 * Self.day) == 60 * Self.day)
        #expect(due(chain(), 60 * Self.day) == nil)
        let cancelled = chain(renewal: RenewalState(willRenew: false), statedAt: Self.hour)
        #expect(due(cancelled, 2 * Self.hour) == nil)
        let retried = chain(renewal: RenewalState(willRenew: true, isInBillingRetry: true), statedAt: Self.hour)
        #expect(due(retried, 2 * Self.hour) == 3 * Self.hour)
    }

    private func sweepDay(of id: String) -> Int64 {
        let period = PurchaseTransaction(
            id: id, productID: "pro", purchasedAt: Self.end.advanced(by: -30 * Self.day),
            state: .init(expiry: Stamped(Self.end, Stamp(asOf: Self.end, source: .receipt))))
        let now = Self.end.advanced(by: 100 * Self.day)
        let next = PollSchedule.next(for: PurchaseChain(originalID: id, transactions: [period]), after: now)
        return next.map { $0.milliseconds(since: now) / Self.day } ?? -1
    }

    @Test("Nothing is asked soon where nothing can change without a purchase")
    func over() {
        let cancelled = RenewalState(willRenew: false, isInBillingRetry: false)
        #expect(due(chain(renewal: cancelled, statedAt: Self.hour), now: 2 * Self.hour).map { $0 > 15 * Self.day } == true)
        #expect(due(chain(renewal: cancelled, statedAt: -Self.hour), now: 2 * Self.hour) != nil)
        let retried = RenewalState(willRenew: false, isInBillingRetry: true)
        #expect(due(chain(renewal: retried, statedAt: Self.hour), now: 2 * Self.hour) != nil)
        #expect(due(chain(revokedAt: Self.end.advanced(by: -Self.day)), now: -Self.hour) == nil)
        #expect(due(chain(environment: .local), now: -Self.hour) == nil)
        #expect(PollSchedule.next(for: PurchaseChain(originalID: "1"), after: Self.end) == nil)
    }

    @Test("A history that begins in the middle is asked about at once, and once")
    func incomplete() {
        #expect(due(chain(showsFirst: false), now: -20 * Self.day) == -20 * Self.day)
        #expect(due(chain(showsFirst: false), now: -20 * Self.day, lastAsked: -20 * Self.day) == -Self.day)
        #expect(due(chain(showsFirst: false), now: 90 * Self.day, lastAsked: 90 * Self.day).map { $0 > 104 * Self.day } == true)
    }
}
