import EligibilityRules
import OfferStore
import OfferStoreSQL
import OfferStoreTesting
import Testing

@testable import OfferStorePostgreSQL

@Suite("The console at several processes on one PostgreSQL", .enabled(if: TestDatabase.isThere))
struct ConsoleReplicaTests {
    private let stores: [PostgreSQLStore]

    /// Stores that know nothing of each other, as processes do.
    init() throws {
        let address = try TestDatabase.newSchema()
        stores = try (0..<3).map { _ in try PostgreSQLStore(address, readers: 1, audit: .testing) }
    }

    /// What several say who all do the same at once, so many a store.
    private func all<Answer: Sendable>(
        _ count: Int,
        _ body: @escaping @Sendable (PostgreSQLStore, Int) async throws -> Answer
    ) async throws -> [Answer] {
        try await withThrowingTaskGroup(of: Answer.self) { group in
            for number in 0..<count { for store in stores { group.addTask { try await body(store, number) } } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    private func event(_ action: String) -> AuditEvent { AuditEvent(at: Instant(milliseconds: 1), actor: "a", action: action) }

    private func events(_ action: String) async throws -> Int64 {
        try await stores[0].read("count events") { transaction in
            try transaction.run("SELECT count(*) FROM audit_event WHERE action = $1", .text(action)).first { $0.number(0) }!
        }
    }

    @Test("Of several who decide about keys at once one gets an error, and the order is the same everywhere")
    func decisions() async throws {
        func decision(_ round: Int, _ place: Int) -> KeyDecision {
            KeyDecision(
                keyID: "K\(place)", bundleID: "com.example.app", state: "\(round)", decidedAt: Instant(milliseconds: 1),
                decidedBy: "a", reason: "")
        }
        for round in 0..<5 {
            let made = (0..<3).map { decision(round, $0) }
            let won = try await all(2) { store, _ in
                try await SQLKeyStore(store).add(made, after: round * 3, audit: [event("key.decide")])
            }
            #expect(won.count { $0 } == 1)
        }
        let expected = (0..<5).flatMap { round in (0..<3).map { decision(round, $0) } }
        for store in stores { #expect(try await SQLKeyStore(store).keyDecisions().all == expected) }
        #expect(try await events("key.decide") == 5)
        #expect(try await SQLKeyStore(stores[0]).add([], after: 15, audit: []))
        #expect(try await SQLChangeFeed(stores[2]).revisions() == [.access: 0, .keys: 15, .campaigns: 0])
    }

    @Test("Of several who change a campaign at once one does, and the others see the change")
    func campaigns() async throws {
        var base: CampaignRecord?
        for round in 1...5 {
            let before = base
            let records = (0..<2).map { number in
                let draft = CampaignDraft.sample([UInt8(number)])
                let published = CampaignPublication.sample(round)
                return before?.next(draft: draft, published: published, standing: .live)
                    ?? .sample(draft: draft, published: published, standing: .live)
            }
            let outcomes = try await all(2) { store, number in
                (number, try await SQLCampaignStore(store).write(records[number], audit: [event("campaign.save")]))
            }
            let won = outcomes.filter { $0.1 == .written }.map { records[$0.0] }
            #expect(won.count == 1)
            #expect(outcomes.count { $0.1 == .changedMeanwhile(won.first) } == 5)
            base = won.first
        }
        for store in stores {
            let campaigns = SQLCampaignStore(store)
            #expect(try await campaigns.campaign(id: "spring-winback", bundleID: "com.example.app") == base)
            #expect(try await campaigns.live(bundleIDs: ["com.example.app"]).map(\.number) == [5])
            #expect(try await SQLChangeFeed(store).revisions()[.campaigns] == 5)
        }
        #expect(try await events("campaign.save") == 5)
    }

    @Test("An access key of an id that is taken is refused at once, revoking twice keeps the first instant")
    func access() async throws {
        let record = AccessRecord(
            id: "0123", secretDigest: [1], role: "client", apps: [], note: "",
            lifetime: AccessLifetime(createdAt: Instant(milliseconds: 1)))
        let added = try await all(2) { store, _ in
            do {
                try await SQLAccessStore(store).add(record, audit: [event("access.add")])
                return true
            } catch let error as StoreError {
                #expect(error.detail.contains("there is an access key of this id"))
                return false
            }
        }
        #expect(added.count { $0 } == 1)
        #expect(try await events("access.add") == 1)
        let access = stores.map(SQLAccessStore.init)
        for (number, store) in access.enumerated() {
            #expect(try await store.revokeAccess(id: "0123", at: Instant(milliseconds: Int64(number + 7)), audit: []))
        }
        _ = try await all(8) { store, number in
            let uses =
                (0..<20).map { ("\($0 * 7919 % 20)", Instant(milliseconds: Int64(number))) } + [
                    ("0123", Instant(milliseconds: Int64(number)))
                ]
            try await SQLAccessStore(store).noteUse(Dictionary(uniqueKeysWithValues: uses))
        }
        let known = try #require(try await access[0].accessRecords().first)
        #expect(known.lifetime.revokedAt == Instant(milliseconds: 7))
        #expect(known.lastUsedAt == Instant(milliseconds: 7))
        #expect(known.apps == [])
        #expect(try await SQLChangeFeed(stores[1]).revisions()[.access] == 4)
    }

    @Test("A session is ended once, and a secret made once")
    func once() async throws {
        let session = SessionRecord(
            digest: [1], kind: .session, accessID: "a", createdAt: Instant(milliseconds: 1), usedAt: Instant(milliseconds: 1),
            address: "::1", userAgent: "")
        try await SQLSessionStore(stores[0]).add(session, forgettingBefore: Instant(milliseconds: 0))
        let ended = try await all(3) { store, _ in try await SQLSessionStore(store).end(digest: [1]) }
        #expect(ended.count { $0 } == 1)
        for round in 0..<3 {
            let made = try await all(3) { store, number in
                try await SQLSecretStore(store).secret(named: "\(round)") { [.random(in: 0...255), UInt8(number)] }
            }
            #expect(Set(made).count == 1)
        }
        try await SQLSecretStore(stores[1]).remove(named: "0")
        #expect(try await SQLSecretStore(stores[2]).secret(named: "0") { [9] } == [9])
    }

    @Test("The use of keys is that of all processes, in all environments of an app, from the very instant on")
    func keyUse() async throws {
        try await stores[0].write("sign") { transaction in
            // Two processes, and the minutes 1 and 2.
            let signed: [(at: Int64, bundleID: String, chain: Int64, offers: Int64)] = [
                (60_000, "a", 1, 1), (60_500, "a#Sandbox", 2, 2), (119_999, "a", 1, 4), (120_000, "a", 1, 8),
                (130_000, "b", 2, 16), (179_999, "a", 2, 32),
            ]
            for (number, row) in signed.enumerated() {
                transaction.enqueue(
                    SQLStatement(
                        """
                        INSERT INTO signed_request (id, signed_at, bundle_id, key_id, form, caller, request_id, nonces, digests, offers,
                            chain, link)
                        VALUES ($1, $2, $3, 'K', 'payload', '', '', $4, '', '', $5, '')
                        """,
                        [
                            .number(Int64(number)), .number(row.at), .text(row.bundleID),
                            .bytes(Array(repeating: 0, count: 16 * Int(row.offers))), .number(row.chain),
                        ]))
                transaction.enqueue(
                    SQLStatement(
                        """
                        INSERT INTO offer_tally AS tally (minute, table_name, bundle_id, outcome, chain, offers, latest_at)
                        VALUES ($1 / 60000, 'signed_request', $2, 'K', $3, $4, $1)
                        ON CONFLICT (minute, table_name, bundle_id, outcome, chain)
                        DO UPDATE SET offers = tally.offers + excluded.offers, latest_at = excluded.latest_at
                        """, [.number(row.at), .text(row.bundleID), .number(row.chain), .number(row.offers)]))
            }
            transaction.enqueue(SQLStatement("INSERT INTO offer_tally VALUES (2, 'refused_request', 'a', 'K', 1, 64, 121000)"))
        }
        let keys = SQLKeyStore(stores[1])
        let expected: [(since: Int64, a: Int, b: Int)] = [
            (-60_001, 47, 16), (-1, 47, 16), (0, 47, 16), (60_000, 47, 16), (60_001, 46, 16), (119_999, 44, 16),
            (120_000, 40, 16),
            (120_001, 32, 16), (130_001, 32, 0), (179_999, 32, 0), (180_000, 0, 0), (200_000, 0, 0),
        ]
        for (since, a, b) in expected {
            let uses = try await keys.keyUse(since: Instant(milliseconds: since)).sorted { $0.bundleID < $1.bundleID }
            let all = [("a", 179_999, a), ("b", 130_000, b)].filter { $0.2 > 0 }
            #expect(
                uses
                    == all.map {
                        KeyUse(
                            keyID: "K", bundleID: $0.0, lastSignedAt: Instant(milliseconds: Int64($0.1)), signatures: $0.2)
                    },
                "since \(since)")
        }
    }

    @Test("What an operator changes with SQL is noticed, and what was published cannot be changed")
    func byHand() async throws {
        let record = CampaignRecord.sample(published: .sample(1), testers: [CampaignTester(id: "ann", variant: "half")])
        #expect(try await SQLCampaignStore(stores[0]).write(record) == .written)
        func revisions() async throws -> [ChangeTopic: Int64] { try await SQLChangeFeed(stores[1]).revisions() }
        func run(_ sql: String) async throws { try await stores[0].write("do by hand") { _ = try $0.run(sql) } }
        #expect(try await revisions() == [.access: 0, .keys: 0, .campaigns: 1])
        await #expect(throws: StoreError.self) { try await run("UPDATE campaign_revision SET number = 2") }
        try await run("DELETE FROM campaign_revision WHERE number = 7")
        #expect(try await revisions()[.campaigns] == 1)
        try await run("DELETE FROM campaign_revision")
        #expect(try await revisions()[.campaigns] == 2)
        try await run("DELETE FROM campaign")
        #expect(try await revisions()[.campaigns] == 3)
    }
}
