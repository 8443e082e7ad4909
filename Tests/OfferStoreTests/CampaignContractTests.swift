import EligibilityRules
import OfferStore
import OfferStoreTesting
import Testing

@Suite("Campaign contract")
struct CampaignContractTests {
    private let bundleID = "com.example.app"

    private static let drafts: [CampaignDraft?] = [
        nil, .sample([]), .sample([0, 0xFF, 10], basedOn: 7, authors: ["a", "b", "command-line"]),
        .sample(review: CampaignReview(submitted: .sample(4, by: "author", ""))),
        .sample(
            review: CampaignReview(
                submitted: .sample(4), ruling: CampaignReview.Ruling(isApproval: true, act: .sample(5, by: "approver")))),
        .sample(
            review: CampaignReview(
                submitted: .sample(4), ruling: CampaignReview.Ruling(isApproval: false, act: .sample(-5, by: "approver", "")))),
    ]

    @Test("A campaign comes back as it went in, whatever there is of it", arguments: SigningStoreUnderTest.allCases)
    func roundTrip(_ implementation: SigningStoreUnderTest) async throws {
        let (store, folder) = try implementation.make()
        defer { withExtendedLifetime(folder) {} }
        let campaigns = store.marketing.campaigns
        #expect(try await campaigns.campaign(id: "c0", bundleID: bundleID) == nil)
        var made: [CampaignRecord] = []
        for (number, draft) in Self.drafts.enumerated() {
            for standing in CampaignStanding.allCases {
                let published = number.isMultiple(of: 2) ? CampaignPublication.sample(1, document: [1, UInt8(number)]) : nil
                made.append(.sample("c\(made.count)", draft: draft, published: published, standing: standing))
            }
        }
        for record in made { #expect(try await campaigns.write(record) == .written) }
        for record in made { #expect(try await campaigns.campaign(id: record.id, bundleID: bundleID) == record) }
        #expect(try await campaigns.campaigns(of: bundleID, after: nil, limit: 100) == made.sorted { $0.id < $1.id })
    }

    @Test("The next version replaces the one before, whole", arguments: SigningStoreUnderTest.allCases)
    func versions(_ implementation: SigningStoreUnderTest) async throws {
        let (store, folder) = try implementation.make()
        defer { withExtendedLifetime(folder) {} }
        var record = CampaignRecord.sample()
        #expect(try await store.marketing.campaigns.write(record) == .written)
        for (number, draft) in Self.drafts.enumerated() {
            record = record.next(draft: draft, published: .sample(number + 1, document: [UInt8(number)]))
            #expect(try await store.marketing.campaigns.write(record) == .written)
            #expect(try await store.marketing.campaigns.campaign(id: record.id, bundleID: bundleID) == record)
        }
        for standing in CampaignStanding.allCases {
            record = record.next(created: .sample(Int64(record.version), by: "second maker"), standing: standing)
            #expect(try await store.marketing.campaigns.write(record) == .written)
            #expect(try await store.marketing.campaigns.campaign(id: record.id, bundleID: bundleID) == record)
        }
    }

    @Test("A late caller gets what is there now, and nothing is written", arguments: SigningStoreUnderTest.allCases)
    func late(_ implementation: SigningStoreUnderTest) async throws {
        let (store, folder) = try implementation.make()
        defer { withExtendedLifetime(folder) {} }
        let (campaigns, first) = (store.marketing.campaigns, CampaignRecord.sample())
        #expect(try await campaigns.write(first.next()) == .changedMeanwhile(nil))
        #expect(try await campaigns.write(first) == .written)
        let (early, late) = (first.next(draft: .sample([1])), first.next(draft: .sample([2]), published: .sample(1)))
        #expect(try await campaigns.write(early, audit: [event("early")]) == .written)
        let before = try await store.processes.changes.revisions()
        for lost in [late, first, early, early.next().next()] {
            #expect(try await campaigns.write(lost, audit: [event("late")]) == .changedMeanwhile(early))
        }
        #expect(try await campaigns.campaign(id: first.id, bundleID: bundleID) == early)
        #expect(try await campaigns.publications(of: first.id, bundleID: bundleID, before: nil, limit: 9).isEmpty)
        #expect(try await store.processes.changes.revisions() == before)
        let entries = try await store.audit.entries(.events, AuditFilter(action: "campaign."), before: nil, limit: 9)
        #expect(entries.map(\.event.object.id) == ["early"])
    }

    @Test("Of several who change at once one does, and the others see what it was", arguments: SigningStoreUnderTest.allCases)
    func race(_ implementation: SigningStoreUnderTest) async throws {
        let (store, folder) = try implementation.make()
        defer { withExtendedLifetime(folder) {} }
        let campaigns = store.marketing.campaigns
        for round in Int64(1)...3 {
            let base = try await campaigns.campaign(id: "spring-winback", bundleID: bundleID)
            let records = (UInt8(0)..<10).map { number in
                base?.next(draft: .sample([number])) ?? CampaignRecord.sample(draft: .sample([number]))
            }
            let outcomes = try await withThrowingTaskGroup(of: (CampaignRecord, WriteOutcome<CampaignRecord>).self) { group in
                for record in records { group.addTask { (record, try await campaigns.write(record)) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let won = outcomes.filter { $0.1 == .written }.map(\.0)
            #expect(won.count == 1)
            #expect(outcomes.filter { $0.1 == .changedMeanwhile(won.first) }.count == 9)
            #expect(try await campaigns.campaign(id: "spring-winback", bundleID: bundleID) == won.first)
            #expect(won.first?.version == round)
        }
    }

    @Test("What was published stays as it was, whatever comes after", arguments: SigningStoreUnderTest.allCases)
    func publications(_ implementation: SigningStoreUnderTest) async throws {
        let (store, folder) = try implementation.make()
        defer { withExtendedLifetime(folder) {} }
        let campaigns = store.marketing.campaigns
        var record = CampaignRecord.sample()
        #expect(try await campaigns.write(record) == .written)
        let made = (1...5).map { CampaignPublication.sample($0, document: [UInt8($0)], copyOf: $0 == 4 ? 2 : nil) }
        for publication in made {
            record = record.next(published: publication)
            #expect(try await campaigns.write(record) == .written)
        }
        // The same number with another document.
        record = record.next(published: .sample(5, document: [0xEE]))
        #expect(try await campaigns.write(record) == .written)
        #expect(try await campaigns.campaign(id: record.id, bundleID: bundleID)?.published == made[4])
        func listed(before number: Int?, _ limit: Int) async throws -> [CampaignPublication] {
            try await campaigns.publications(of: record.id, bundleID: bundleID, before: number, limit: limit)
        }
        #expect(try await listed(before: nil, 9) == made.reversed())
        #expect(try await listed(before: nil, 2) == [made[4], made[3]])
        #expect(try await listed(before: 4, 2) == [made[2], made[1]])
        #expect(try await listed(before: 1, 2).isEmpty)
        #expect(try await campaigns.publication(2, of: record.id, bundleID: bundleID) == made[1])
        #expect(try await campaigns.publication(6, of: record.id, bundleID: bundleID) == nil)
        #expect(try await campaigns.publication(2, of: record.id, bundleID: "com.example.other") == nil)
        #expect(try await campaigns.publications(of: "other", bundleID: bundleID, before: nil, limit: 9).isEmpty)
    }

    @Test("Activity is only ever added to, each campaign's in its own order", arguments: SigningStoreUnderTest.allCases)
    func activity(_ implementation: SigningStoreUnderTest) async throws {
        let (store, folder) = try implementation.make()
        defer { withExtendedLifetime(folder) {} }
        let campaigns = store.marketing.campaigns
        func entry(_ step: String, _ number: Int64, revision: Int = 1) -> CampaignActivity {
            CampaignActivity(number: number, step: step, act: .sample(number, by: "ann", "für \(step)"), revision: revision)
        }
        func listed(_ id: String = "a", before number: Int64? = nil, _ limit: Int = 9) async throws -> [CampaignActivity] {
            try await campaigns.activity(of: id, bundleID: bundleID, before: number, hasReason: false, limit: limit)
        }
        #expect(try await listed().isEmpty)
        let (first, other) = (CampaignRecord.sample("a"), CampaignRecord.sample("a", of: "com.example.other"))
        #expect(try await campaigns.write(first, activity: [entry("create", 1, revision: 0)], audit: []) == .written)
        #expect(try await campaigns.write(other, activity: [entry("create", 1)], audit: []) == .written)
        let next = first.next(published: .sample(1), standing: .ended, isArchived: true)
        #expect(try await campaigns.write(next, activity: [entry("approve", 2), entry("publish", 3)], audit: []) == .written)
        #expect(try await campaigns.campaign(id: "a", bundleID: bundleID) == next)
        #expect(try await campaigns.write(next, activity: [entry("late", 4)], audit: []) == .changedMeanwhile(next))
        #expect(try await campaigns.write(next.next(isArchived: false), activity: [], audit: []) == .written)
        let all = [entry("publish", 3), entry("approve", 2), entry("create", 1, revision: 0)]
        #expect(try await listed() == all)
        #expect(try await listed(before: 3, 1) == [all[1]])
        #expect(try await listed("b").isEmpty)
    }

    @Test("Entries with a reason are found behind any number of others", arguments: SigningStoreUnderTest.allCases)
    func reasons(_ implementation: SigningStoreUnderTest) async throws {
        let (store, folder) = try implementation.make()
        defer { withExtendedLifetime(folder) {} }
        let reasons = ["early", "later"] + [String](repeating: "", count: 9)
        let entries = reasons.enumerated().map { number, reason in
            CampaignActivity(number: Int64(number + 1), step: "save", act: .sample(1, by: "ann", reason), revision: 1)
        }
        #expect(try await store.marketing.campaigns.write(.sample("a"), activity: entries, audit: []) == .written)
        let pages: [(Int64?, Int, [CampaignActivity])] = [
            (nil, 9, [entries[1], entries[0]]), (nil, 1, [entries[1]]), (2, 9, [entries[0]]),
        ]
        for (number, limit, found) in pages {
            #expect(
                try await store.marketing.campaigns.activity(
                    of: "a", bundleID: bundleID, before: number, hasReason: true, limit: limit) == found)
        }
    }

    @Test(
        "The same id in another app is another campaign, and lists go on behind an id", arguments: SigningStoreUnderTest.allCases)
    func apps(_ implementation: SigningStoreUnderTest) async throws {
        let (store, folder) = try implementation.make()
        defer { withExtendedLifetime(folder) {} }
        let campaigns = store.marketing.campaigns
        let mine = ["a", "a-b", "a1", "b"].map { CampaignRecord.sample($0, draft: .sample([1]), published: .sample(1)) }
        let other = CampaignRecord.sample("a", of: "com.example.other", draft: .sample([2]))
        for record in mine.reversed() + [other] { #expect(try await campaigns.write(record) == .written) }
        #expect(try await campaigns.write(other.next(published: .sample(1, document: [9]))) == .written)
        #expect(try await campaigns.campaign(id: "a", bundleID: bundleID) == mine[0])
        #expect(try await campaigns.publication(1, of: "a", bundleID: bundleID) == .sample(1))
        func listed(after id: String?, _ limit: Int) async throws -> [String] {
            try await campaigns.campaigns(of: bundleID, after: id, limit: limit).map(\.id)
        }
        #expect(try await listed(after: nil, 9) == ["a", "a-b", "a1", "b"])
        #expect(try await listed(after: nil, 2) == ["a", "a-b"])
        #expect(try await listed(after: "a-b", 2) == ["a1", "b"])
        #expect(try await listed(after: "a0", 1) == ["a1"])
        #expect(try await listed(after: "b", 2).isEmpty)
        let versions = try await campaigns.versions(of: bundleID)
        #expect(versions.map(\.id) == ["a", "a-b", "a1", "b"] && versions.map(\.version) == mine.map(\.version))
        #expect(try await campaigns.versions(of: other.bundleID).map(\.version) == [other.version + 1])
        #expect(try await campaigns.campaigns(of: bundleID, ids: ["b", "a", "none"]) == [mine[0], mine[3]])
        #expect(try await campaigns.campaigns(of: bundleID, ids: []).isEmpty)
    }

    @Test("What counts is the latest revision of each campaign that is not over", arguments: SigningStoreUnderTest.allCases)
    func live(_ implementation: SigningStoreUnderTest) async throws {
        let (store, folder) = try implementation.make()
        defer { withExtendedLifetime(folder) {} }
        let campaigns = store.marketing.campaigns
        #expect(try await campaigns.live(bundleIDs: [bundleID]).isEmpty)
        for (id, standing) in zip(["d", "c", "b", "a"], CampaignStanding.allCases) {
            let published = standing == .unpublished ? nil : CampaignPublication.sample(1, document: [1])
            let record = CampaignRecord.sample(id, published: published, standing: standing)
            #expect(try await campaigns.write(record) == .written)
            guard standing != .unpublished else { continue }
            #expect(try await campaigns.write(record.next(published: .sample(2, document: [2]))) == .written)
        }
        let other = CampaignRecord.sample("z", of: "com.example.another", published: .sample(1, document: [3]), standing: .live)
        #expect(try await campaigns.write(other) == .written)
        let expected = [("b", CampaignStanding.paused), ("c", .live)].map {
            LiveCampaign(id: $0.0, bundleID: bundleID, number: 2, document: [2], standing: $0.1)
        }
        let another = LiveCampaign(id: "z", bundleID: other.bundleID, number: 1, document: [3], standing: .live)
        #expect(try await campaigns.live(bundleIDs: [bundleID, "com.example.none"]) == expected)
        #expect(try await campaigns.live(bundleIDs: [bundleID, other.bundleID]) == [another] + expected)
        #expect(try await campaigns.live(bundleIDs: []).isEmpty)
        #expect(try await campaigns.ended(bundleIDs: [bundleID, other.bundleID]) == [bundleID: ["a"]])
        #expect(try await campaigns.ended(bundleIDs: [other.bundleID]).isEmpty)
    }

    @Test(
        "Testers come back in their order, and those who try are listed with what they try",
        arguments: SigningStoreUnderTest.allCases)
    func testers(_ implementation: SigningStoreUnderTest) async throws {
        let (store, folder) = try implementation.make()
        defer { withExtendedLifetime(folder) {} }
        let campaigns = store.marketing.campaigns
        func revision() async throws -> Int64 { try await store.processes.changes.revisions()[.campaigns] ?? 0 }
        let testers = [
            CampaignTester(id: "ä", variant: "half", note: "\"Zoë\"\n"), CampaignTester(id: "a", variant: "control"),
            CampaignTester(kind: .originalTransaction, id: "2000", variant: "half"),
            CampaignTester(kind: .appTransaction, id: "70", variant: "half"),
        ]
        var record = CampaignRecord.sample(testers: testers)
        #expect(try await campaigns.write(record) == .written)
        #expect(try await campaigns.campaign(id: record.id, bundleID: bundleID) == record)
        #expect(try await campaigns.campaigns(of: bundleID, after: nil, limit: 9) == [record])
        let found = try await campaigns.testers(withIDs: ["2000", "a", "nobody"], bundleID: bundleID)
        #expect(found.map(\.tester) == [testers[1], testers[2]])
        #expect(found.allSatisfy { $0.campaign == record.id })
        func rehearsed() async throws -> [RehearsedCampaign] {
            try await campaigns.rehearsed(bundleIDs: [bundleID, "com.example.none"])
        }
        let tried = RehearsedCampaign(
            id: record.id, bundleID: bundleID, draft: record.draft?.document, number: 0, published: nil, testers: testers)
        #expect(try await rehearsed() == [tried])
        // What they try has changed, and so has who tries it.
        var before = try await revision()
        for next in [
            record.next(draft: .sample([7])),
            record.next(draft: .sample([7])).next(published: .sample(1, document: [8]), standing: .live),
        ] {
            #expect(try await campaigns.write(next) == .written)
            let after = try await revision()
            #expect(after > before)
            (before, record) = (after, next)
        }
        #expect(
            try await rehearsed() == [
                RehearsedCampaign(id: record.id, bundleID: bundleID, draft: nil, number: 1, published: [8], testers: testers)
            ])
        record = record.next(draft: record.draft, testers: [testers[1]])
        #expect(try await campaigns.write(record) == .written)
        #expect(try await rehearsed().map(\.testers) == [[testers[1]]])
        #expect(try await revision() > before)
        let others = [
            CampaignRecord.sample("ended", standing: .ended, testers: testers), .sample("nobody"),
            .sample("elsewhere", of: "com.example.other", testers: testers),
        ]
        for other in others { #expect(try await campaigns.write(other) == .written) }
        #expect(try await rehearsed().map(\.id) == [record.id])
        #expect(try await campaigns.write(record.next(draft: nil, testers: [])) == .written)
        #expect(try await rehearsed().isEmpty)
    }

    @Test("What counts raises the revision, and drafts do not", arguments: SigningStoreUnderTest.allCases)
    func feed(_ implementation: SigningStoreUnderTest) async throws {
        let (store, folder) = try implementation.make()
        defer { withExtendedLifetime(folder) {} }
        func revision() async throws -> Int64 { try #require(try await store.processes.changes.revisions()[.campaigns]) }
        var record = CampaignRecord.sample()
        #expect(try await store.marketing.campaigns.write(record) == .written)
        for draft in Self.drafts {
            record = record.next(draft: draft)
            #expect(try await store.marketing.campaigns.write(record) == .written)
        }
        #expect(try await revision() == 0)
        var before: Int64 = 0
        let changes: [(CampaignPublication?, CampaignStanding?)] = [
            (.sample(1), .live), (.sample(2), nil), (nil, .paused), (.sample(3), nil), (nil, .live), (nil, .ended),
        ]
        for (published, standing) in changes {
            record = record.next(published: published, standing: standing)
            #expect(try await store.marketing.campaigns.write(record) == .written)
            let after = try await revision()
            #expect(after > before, "\(published?.number ?? 0), \(standing?.rawValue ?? "")")
            before = after
        }
        #expect(try await store.marketing.campaigns.write(record.next(standing: .ended)) == .written)
        #expect(try await revision() == before)
        let others = try await store.processes.changes.revisions().filter { $0.key != .campaigns }
        #expect(others.allSatisfy { $0.value == 0 })
    }

    @Test("What is said of a change is in the log with it, in its order", arguments: SigningStoreUnderTest.allCases)
    func audit(_ implementation: SigningStoreUnderTest) async throws {
        let (store, folder) = try implementation.make()
        defer { withExtendedLifetime(folder) {} }
        let record = CampaignRecord.sample()
        #expect(try await store.marketing.campaigns.write(record, audit: [event("one"), event("two")]) == .written)
        #expect(try await store.marketing.campaigns.write(record.next(), audit: [event("three")]) == .written)
        let entries = try await store.audit.entries(.events, AuditFilter(action: "campaign."), before: nil, limit: 9)
        #expect(entries.map(\.event) == ["three", "two", "one"].map(event))
    }

    private func event(_ subject: String) -> AuditEvent {
        AuditEvent(
            at: Instant(milliseconds: 1), actor: "author", action: "campaign.save", partition: AppPartition(bundleID: bundleID),
            object: AuditObject(subject, before: "v1", after: "v2"), reason: "für Tests")
    }
}
