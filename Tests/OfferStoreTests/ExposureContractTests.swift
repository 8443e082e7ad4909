import EligibilityRules
import Foundation
import OfferStore
import OfferStoreTesting
import Testing

@Suite("Exposure contract")
struct ExposureContractTests {
    private static let app: AppPartition = "com.example.app"
    private static let sandbox: AppPartition = "com.example.app#Sandbox"

    private func read(
        _ store: SigningStore,
        of campaign: String = "spring-winback",
        in partition: AppPartition = ExposureContractTests.app,
        after id: Int64 = 0,
        limit: Int = 99
    ) async throws -> [Exposure] {
        try await store.marketing.exposures.exposures(of: campaign, partition: partition, after: id, limit: limit).map(\.exposure)
    }

    @Test("An exposure comes back as it went in, whatever there is of it", arguments: SigningStoreUnderTest.allCases)
    func roundTrip(_ implementation: SigningStoreUnderTest) async throws {
        let (store, folder) = try implementation.make()
        defer { withExtendedLifetime(folder) {} }
        #expect(try await read(store).isEmpty)
        var made: [Exposure] = []
        for kind in BucketingUnit.allCases {
            for variant in [nil, "control", "half"] {
                for nonce in [nil, UUID()] {
                    let number = Int64(made.count)
                    made.append(
                        .sample(
                            "unit-\(number)", variant: variant, revision: made.count % 4 + 1, kind: kind, at: -number,
                            storefront: nonce == nil ? nil : "DEU", nonce: nonce))
                }
            }
        }
        // Several a request, a request of nothing else, and one that signs.
        for part in [made[..<7], made[7..<8]] {
            #expect(try await store.ledger.record(LedgerSubmission(nil, exposures: Array(part))) == .recorded)
        }
        #expect(try await store.ledger.record(LedgerSubmission(.sample(), exposures: Array(made[8...]))) == .recorded)
        #expect(try await read(store) == made)
    }

    @Test("Those of a campaign in one environment come in pages, the oldest first", arguments: SigningStoreUnderTest.allCases)
    func pages(_ implementation: SigningStoreUnderTest) async throws {
        let (store, folder) = try implementation.make()
        defer { withExtendedLifetime(folder) {} }
        func exposures(_ number: Int64) -> [Exposure] {
            [
                .sample("u\(number)", at: number), .sample("u\(number)", variant: nil, of: "other", at: number),
                .sample("u\(number)", Self.sandbox, at: number), .sample("u\(number)", "com.example.other", at: number),
            ]
        }
        for number in Int64(0)..<10 {
            #expect(try await store.ledger.record(LedgerSubmission(nil, exposures: exposures(number))) == .recorded)
        }
        var (pages, last): ([[Exposure]], Int64) = ([], 0)
        repeat {
            let page = try await store.marketing.exposures.exposures(
                of: "spring-winback", partition: Self.app, after: last, limit: 4)
            #expect(page.map(\.id) == page.map(\.id).sorted() && page.first.map { $0.id > last } ?? true)
            pages.append(page.map(\.exposure))
            last = page.last?.id ?? last
        } while pages.last?.isEmpty == false
        #expect(pages.map(\.count) == [4, 4, 2, 0])
        #expect(pages.flatMap(\.self) == (Int64(0)..<10).map { exposures($0)[0] })
        #expect(try await read(store, of: "other").map(\.arm.variant) == Array(repeating: nil, count: 10))
        #expect(try await read(store, in: Self.sandbox).count == 10)
        #expect(try await read(store, of: "spring", in: Self.app).isEmpty)
        let own = try await store.marketing.exposures.exposures(ofUnits: ["u3", "u7"], partition: Self.app, after: 0, limit: 3)
        #expect(own.map(\.exposure) == [exposures(3)[0], exposures(3)[1], exposures(7)[0]])
        let rest = try await store.marketing.exposures.exposures(
            ofUnits: ["u3", "u7"], partition: Self.app, after: own[2].id, limit: 3)
        #expect(rest.map(\.exposure) == [exposures(7)[1]])
        let latest = try await store.marketing.exposures.latestExposures(partition: Self.app, before: nil, limit: 3)
        #expect(latest.map(\.exposure) == [exposures(9)[1], exposures(9)[0], exposures(8)[1]])
        let before = try await store.marketing.exposures.latestExposures(partition: Self.app, before: latest[2].id, limit: 100)
        #expect(before.count == 17 && before.first?.exposure == exposures(8)[0] && before.last?.exposure == exposures(0)[0])
    }

    @Test("What keeps a request from being recorded keeps its exposures, too", arguments: SigningStoreUnderTest.allCases)
    func wholeOrNot(_ implementation: SigningStoreUnderTest) async throws {
        let (store, folder) = try implementation.make()
        defer { withExtendedLifetime(folder) {} }
        let entry = LedgerEntry.sample()
        #expect(try await store.ledger.record(LedgerSubmission(entry, exposures: [.sample("a")])) == .recorded)
        #expect(
            try await store.ledger.record(LedgerSubmission(entry, exposures: [.sample("b")])) == .nonceReplayed(entry.nonce))
        let full = Reservation.sample("full", LimitTerms(outstanding: 0), at: Instant(milliseconds: 0), for: 10)
        let limited = LedgerSubmission(.sample(), exposures: [.sample("c")], reservations: [full])
        guard case .limited = try await store.ledger.record(limited) else {
            Issue.record("the limit was not looked at")
            return
        }
        #expect(try await read(store).map(\.unit) == ["a"])
    }

    @Test("An erased unit cannot be read, and counts as one still", arguments: SigningStoreUnderTest.allCases)
    func erasure(_ implementation: SigningStoreUnderTest) async throws {
        let (store, folder) = try implementation.make()
        defer { withExtendedLifetime(folder) {} }
        let made: [Exposure] = [
            .sample("ann"), .sample("bob"), .sample("ann", at: 2, nonce: UUID()), .sample("ann", Self.sandbox),
            .sample("ann", variant: nil, of: "other"), .sample("7", kind: .originalTransaction), .sample("annette"),
            .sample("ann", "com.example.other"),
        ]
        #expect(try await store.ledger.record(LedgerSubmission(nil, exposures: made)) == .recorded)
        let event = AuditEvent(at: Instant(milliseconds: 9), actor: "x", action: "customer.erase")
        // They are no rows of the log.
        #expect(try await store.audit.erase(["ann", "7"], bundleID: Self.app.bundleID, audit: event) == 0)
        let after = try await read(store)
        #expect(after.map(\.at) == [made[0], made[1], made[2], made[5], made[6]].map(\.at))
        #expect(after[1].unit == "bob" && after[4].unit == "annette")
        #expect(after[0].unit == after[2].unit && after[0].unit != after[3].unit)
        #expect(after[0].unit != "ann" && after[3].unit != "7" && after[0].unit.hasPrefix("erased-"))
        #expect(try await read(store, in: Self.sandbox).map(\.unit) == [after[0].unit])
        #expect(try await read(store, of: "other").map(\.unit) == [after[0].unit])
        #expect(try await read(store, in: "com.example.other").map(\.unit) == ["ann"])
        #expect(try await store.audit.erase(["ann"], bundleID: "com.example.other", audit: event) == 0)
        #expect(try await read(store, in: "com.example.other").map(\.unit) != [after[0].unit])
    }

    @Test(
        "What testers meet is counted apart, in every environment, until they are erased",
        arguments: SigningStoreUnderTest.allCases)
    func rehearsals(_ implementation: SigningStoreUnderTest) async throws {
        let (store, folder) = try implementation.make()
        defer { withExtendedLifetime(folder) {} }
        func met(
            _ unit: String, _ variant: String, _ partition: AppPartition = Self.sandbox, of campaign: String = "spring-winback",
            nonce: UUID? = nil
        )
            -> Exposure
        {
            .sample(unit, variant: variant, of: campaign, partition, revision: 0, nonce: nonce, isRehearsal: true)
        }
        let made = [
            met("ann", "half"), met("ann", "half", nonce: UUID()), met("ann", "half", nonce: UUID()),
            met("bob", "half", "com.example.app#Xcode"),
            met("bob", "control"), met("ann", "half", of: "other"), met("ann", "half", "com.example.other"),
            .sample("cat", Self.sandbox),
        ]
        #expect(try await store.ledger.record(LedgerSubmission(nil, exposures: made)) == .recorded)
        func counts() async throws -> [RehearsalCount] {
            try await store.marketing.exposures.rehearsals(of: "spring-winback", bundleID: Self.app.bundleID)
        }
        let control = RehearsalCount(variant: "control", exposed: 1, signed: 0)
        #expect(try await counts() == [control, RehearsalCount(variant: "half", exposed: 2, signed: 2)])
        #expect(try await read(store, in: Self.sandbox).map(\.unit) == ["cat"])
        #expect(try await read(store, of: "other", in: Self.sandbox).isEmpty)
        let own = try await store.marketing.exposures.rehearsals(ofUnits: ["ann", "cat", "dan"], partition: Self.sandbox)
        #expect(own.map(\.nonce) == [made[0], made[1], made[2], made[5]].map(\.nonce))
        #expect(own.allSatisfy { $0.unit == "ann" && $0.isRehearsal } && own.last?.arm.campaign == "other")
        let tester = CampaignRecord.sample(testers: [
            CampaignTester(id: "ann", variant: "half"), CampaignTester(id: "bob", variant: "half"),
        ])
        #expect(try await store.marketing.campaigns.write(tester) == .written)
        let found = try await store.marketing.campaigns.testers(withIDs: ["ann", "nobody"], bundleID: Self.app.bundleID)
        #expect(found.map(\.campaign) == [tester.id] && found.map(\.tester) == [tester.testers[0]])
        #expect(try await store.marketing.campaigns.testers(withIDs: ["ann"], bundleID: "com.example.other").isEmpty)
        let event = AuditEvent(at: Instant(milliseconds: 9), actor: "x", action: "customer.erase")
        let revision = try #require(try await store.processes.changes.revisions()[.campaigns])
        _ = try await store.audit.erase(["ann"], bundleID: Self.app.bundleID, audit: event)
        #expect(try await store.processes.changes.revisions()[.campaigns] == revision + 1)
        #expect(try await counts() == [control, RehearsalCount(variant: "half", exposed: 1, signed: 0)])
        #expect(
            try await store.marketing.exposures.rehearsals(of: "spring-winback", bundleID: "com.example.other").map(\.exposed)
                == [1])
        #expect(
            try await store.marketing.campaigns.campaign(id: tester.id, bundleID: Self.app.bundleID)?.testers.map(\.id) == ["bob"]
        )
    }

    @Test(
        "The first campaign of a group holds a unit, and another one learns it, until it makes room",
        arguments: SigningStoreUnderTest.allCases)
    func holds(_ implementation: SigningStoreUnderTest) async throws {
        let (store, folder) = try implementation.make()
        defer { withExtendedLifetime(folder) {} }
        func record(_ exposures: Exposure...) async throws -> LedgerOutcome {
            try await store.ledger.record(LedgerSubmission(nil, exposures: exposures))
        }
        func hold(_ campaign: String, _ group: String = "g", _ unit: String = "ann", _ kind: BucketingUnit = .customer)
            -> ExclusionHold
        {
            ExclusionHold(group: group, unitKind: kind, unit: unit, campaign: campaign)
        }
        func holds(_ units: Set<String> = ["ann"], in partition: AppPartition = Self.app) async throws -> [ExclusionHold] {
            try await store.marketing.exposures.holds(onUnits: units, partition: partition)
        }
        #expect(try await record(.sample("ann", of: "a", group: "g"), .sample("ann", of: "c")) == .recorded)
        #expect(try await holds() == [hold("a")])
        let found = LimitFinding("g", .held(hold("a")))
        // Nothing of the request is recorded.
        #expect(try await record(.sample("ann", of: "d"), .sample("ann", of: "b", group: "g")) == .limited([found]))
        for campaign in ["b", "d"] { #expect(try await read(store, of: campaign).isEmpty) }
        // The same again, another group, kind, unit and environment are no matter.
        let others: [Exposure] = [
            .sample("ann", variant: nil, of: "a", group: "g"), .sample("ann", of: "b", group: "h"),
            .sample("ann", of: "b", kind: .appTransaction, group: "g"), .sample("bob", of: "b", group: "g"),
            .sample("ann", of: "b", Self.sandbox, group: "g"),
        ]
        for other in others { #expect(try await record(other) == .recorded) }
        #expect(try await holds() == [hold("b", "g", "ann", .appTransaction), hold("a"), hold("b", "h")])
        #expect(try await holds(["bob", "ann"], in: Self.sandbox) == [hold("b")])
        // Two of one batch: the first one holds.
        let outcomes = try await store.ledger.record(
            ["x", "y"].map { LedgerSubmission(nil, exposures: [.sample("eve", of: $0, group: "g")]) })
        #expect(outcomes == [.recorded, .limited([LimitFinding("g", .held(hold("x", "g", "eve")))])])
        #expect(try await record(.sample("ann", of: "b", group: "g", replacing: "z")) == .limited([found]))
        #expect(try await record(.sample("ann", of: "b", group: "g", replacing: "a")) == .recorded)
        #expect(try await holds() == [hold("b", "g", "ann", .appTransaction), hold("b"), hold("b", "h")])
        let event = AuditEvent(at: Instant(milliseconds: 9), actor: "x", action: "customer.erase")
        _ = try await store.audit.erase(["ann"], bundleID: Self.app.bundleID, audit: event)
        #expect(try await holds(["ann", "bob"]) == [hold("b", "g", "bob")])
        #expect(try await holds(in: Self.sandbox) == [])
    }
}
