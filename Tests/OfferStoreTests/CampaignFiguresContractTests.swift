import EligibilityRules
import OfferStore
import OfferStoreTesting
import Testing

@Suite("Figures of campaigns contract")
struct CampaignFiguresContractTests {
    private let bundleID = "com.example.app"

    private func counted(_ id: String, at instant: Int64, _ bytes: [UInt8] = [0, 0xFF], of app: String? = nil) -> CountedCampaign
    {
        CountedCampaign(id: id, bundleID: app ?? bundleID, countedAt: Instant(milliseconds: instant), figures: bytes)
    }

    private func event(_ subject: String) -> AuditEvent {
        AuditEvent(
            at: Instant(milliseconds: 1), actor: "service", action: "campaign.verdict",
            partition: AppPartition(bundleID: bundleID), object: AuditObject(subject))
    }

    @Test("The latest figures come back, by app and id", arguments: SigningStoreUnderTest.allCases)
    func latest(_ implementation: SigningStoreUnderTest) async throws {
        let (store, folder) = try implementation.make()
        defer { withExtendedLifetime(folder) {} }
        #expect(try await store.marketing.campaigns.counted(of: bundleID).isEmpty)
        for id in ["b", "a"] { #expect(try await store.marketing.campaigns.write(counted(id, at: 1), after: nil, audit: [])) }
        #expect(try await store.marketing.campaigns.write(counted("a", at: 1, of: "com.example.other"), after: nil, audit: []))
        let next = counted("b", at: 5, [])
        #expect(try await store.marketing.campaigns.write(next, after: Instant(milliseconds: 1), audit: []))
        #expect(try await store.marketing.campaigns.counted(of: bundleID) == [counted("a", at: 1), next])
    }

    @Test(
        "Of two who have counted from the same figures one writes, and its events alone are recorded",
        arguments: SigningStoreUnderTest.allCases)
    func late(_ implementation: SigningStoreUnderTest) async throws {
        let (store, folder) = try implementation.make()
        defer { withExtendedLifetime(folder) {} }
        #expect(try await store.marketing.campaigns.write(counted("a", at: 2), after: nil, audit: [event("first")]))
        #expect(try await !store.marketing.campaigns.write(counted("a", at: 3), after: nil, audit: [event("late")]))
        #expect(
            try await !store.marketing.campaigns.write(
                counted("b", at: 3), after: Instant(milliseconds: 2), audit: [event("late")]))
        #expect(try await store.marketing.campaigns.counted(of: bundleID) == [counted("a", at: 2)])
        let entries = try await store.audit.entries(.events, AuditFilter(action: "campaign.verdict"), before: nil, limit: 9)
        #expect(entries.map(\.event) == [event("first")])
    }
}
