import EligibilityRules
import OfferStore
import OfferStoreTesting
import Testing

@testable import OfferService

@Suite("Who has asked for offers lately")
struct AskingLookTests {
    private let store = TemporaryStore()
    private let now = Instant.hours(100 * 24)

    private func expose(_ unit: String, daysAgo: Int64, kind: BucketingUnit = .customer, of app: AppPartition = "com.example.app")
        async throws
    {
        let exposure = Exposure(
            arm: ExposureArm(partition: app, campaign: "c", revision: 1, variant: "a", unitKind: kind), unit: unit,
            at: now.advanced(by: -daysAgo * 86_400_000 - 1000), source: ExposureSource(caller: "caller"))
        _ = try await store.ledger.record(LedgerSubmission(nil, exposures: [exposure]))
    }

    private func refuse(_ customer: String, daysAgo: Int64) async throws {
        let refusals = LedgerRefusals(
            refusedAt: now.advanced(by: -daysAgo * 86_400_000 - 1000), partition: "com.example.app",
            request: LedgerRequest(id: "r", caller: "caller", customerID: customer),
            offers: [.init(productID: "p", offerID: "o", reason: "never-subscribed", evidence: nil)])
        _ = try await store.ledger.record(LedgerSubmission(nil, refusals: refusals))
    }

    private func look() async throws -> AskingCustomers {
        try await AskingLook(exposures: store.marketing.exposures, audit: store.audit).customers(of: "com.example.app", now: now)
    }

    @Test("Each counts on the first day on which it asked, by whatever that left behind")
    func firstDays() async throws {
        for (unit, ago) in [("old", 40), ("ada", 27), ("bob", 20)] as [(String, Int64)] { try await expose(unit, daysAgo: ago) }
        try await refuse("bob", daysAgo: 19)
        try await refuse("carl", daysAgo: 3)
        try await expose("ada", daysAgo: 0)
        try await expose("account", daysAgo: 0, kind: .appTransaction)
        try await expose("elsewhere", daysAgo: 0, of: "com.example.other")
        let found = try await look()
        #expect(found.days == 28)
        let days = ["old", "ada", "bob", "carl", "account", "elsewhere"].map { found.firstDay(of: $0, in: 28) }
        #expect(days == [nil, 0, 7, 24, nil, nil])
        // Within the last week those of earlier days count when they asked again.
        #expect(["ada", "bob", "carl"].map { found.firstDay(of: $0, in: 7) } == [6, nil, 3])
    }

    @Test(
        "Less than four weeks are whole weeks, and less than one is what it is",
        arguments: [(0, 0), (3, 3), (6, 7), (12, 7), (13, 14)])
    func young(ago: Int64, days: Int) async throws {
        try await expose("ada", daysAgo: ago)
        #expect(try await look().days == days)
    }
}
