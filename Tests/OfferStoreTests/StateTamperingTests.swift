import EligibilityRules
import OfferStore
import OfferStoreTesting
import Testing

/// What an attacker with the store's file, or with the database's password, does to campaigns, segments, proposals and endpoints.
@Suite("Campaigns, segments, proposals and endpoints that were tampered with")
struct StateTamperingTests {
    private typealias Tampering = DecisionTamperingTests.Tampering

    private static let tables = [
        "campaign", "campaign_draft", "campaign_revision", "campaign_tester", "segment", "key_proposal", "event_endpoint",
        "audit_event",
    ]

    // MARK: what is there

    private static func write(_ records: [CampaignRecord], _ store: SigningStore) async throws {
        var before: CampaignRecord?
        for record in records {
            let event = AuditEvent(
                at: Instant(milliseconds: record.version), actor: "ann",
                action: before == nil ? "campaign.create" : "campaign.save", partition: AppPartition(bundleID: record.bundleID),
                object: AuditObject(record.id, before: before?.auditText(.testing), after: record.auditText(.testing)))
            #expect(try await store.marketing.campaigns.write(record, audit: [event]) == .written)
            before = record
        }
    }

    /// Three revisions, a draft in review and testers.
    private static func life(_ id: String, of bundleID: String) -> [CampaignRecord] {
        let testers = [CampaignTester(id: "u1", variant: "half", note: "Ann"), CampaignTester(id: "u2", variant: "new")]
        var all = [CampaignRecord.sample(id, of: bundleID)]
        for number in 1...3 {
            let copied = number == 3 ? 1 : nil
            all.append(all.last!.next(published: .sample(number, document: [UInt8(copied ?? number), 0xFF], copyOf: copied)))
        }
        all.append(all.last!.next(standing: .live))
        all.append(all.last!.next(testers: testers))
        all.append(all.last!.next(draft: .sample([9], basedOn: 3, review: CampaignReview(submitted: .sample(8)))))
        return all
    }

    private static func fill(_ store: SigningStore) async throws {
        for (id, app) in [("spring", "a"), ("spring", "b"), ("summer", "a")] { try await write(life(id, of: app), store) }
        let segments = store.marketing.segments
        func segment(_ id: String, of app: String, _ version: Int64) -> SegmentRecord {
            SegmentRecord(
                id: id, bundleID: app, version: version, document: Array(#"{"id":"\#(id)","below":\#(version)}"#.utf8),
                changed: .sample(version))
        }
        func event(_ action: String, _ subject: String, of app: String? = nil, after: String? = nil) -> [AuditEvent] {
            let partition = app.map { AppPartition(bundleID: $0) }
            return [
                AuditEvent(
                    at: Instant(milliseconds: 7), actor: "ann", action: action, partition: partition,
                    object: AuditObject(subject, after: after))
            ]
        }
        for (id, app, versions) in [("lapsed", "a", 2), ("lapsed", "b", 1), ("gone", "a", 1)] {
            for version in 1...Int64(versions) {
                let saved = event("segment.save", id, of: app)
                #expect(try await segments.write(segment(id, of: app, version), audit: saved) == .written)
            }
        }
        let removed = event("segment.remove", "gone", of: "a")
        #expect(try await segments.removeSegment(id: "gone", bundleID: "a", version: 1, audit: removed) == .written)
        // The same once more, and it is gone again.
        #expect(try await segments.write(segment("gone", of: "a", 1), audit: event("segment.save", "gone", of: "a")) == .written)
        #expect(try await segments.removeSegment(id: "gone", bundleID: "a", version: 1, audit: removed) == .written)
        for (id, action) in [("p1", nil), ("p2", "key.agree"), ("p3", "key.withdraw")] {
            let proposal = KeyProposal(
                id: id, requestName: "activate", keyID: "NEXT", bundleIDs: ["a", "b"], proposedAt: Instant(milliseconds: 30),
                proposedBy: "ann", reason: "für Tests")
            try await store.credentials.keys.add(proposal)
            guard let action else { continue }
            let end = event(action, "NEXT", after: proposal.auditText(.testing))
            #expect(try await store.credentials.keys.endProposal(id: id, audit: end))
        }
        let now = Instant(milliseconds: 40)
        for name in ["shop", "mail"] { try await store.events.setDisabled(name, at: now, audit: event("event.disable", name)) }
        try await store.events.setDisabled("mail", at: nil, audit: event("event.enable", "mail"))
    }

    // MARK: what is done to it

    private static let acts = ["created", "stood", "changed"].flatMap(edits(ofAct:))
    private static func edits(ofAct name: String) -> [(String, String)] {
        [("\(name)_at", "coalesce(\(name)_at, 0) + 1"), ("\(name)_by", "'eve'"), ("\(name)_reason", "'other'")]
    }

    /// Every column of a row changed, one at a time.
    private static func edits(_ table: String, _ row: String, _ columns: [(String, String)]) -> [Tampering] {
        columns.map { column, value in
            Tampering(
                description: "another \(column) of \(table) \(row)",
                statements: ["UPDATE \(table) SET \(column) = \(value) WHERE \(row)"])
        }
    }

    private static func exchange(_ table: String, _ column: String, _ first: String, _ second: String) -> Tampering {
        let steps = [("'\(first)'", "'-'"), ("'\(second)'", "'\(first)'"), ("'-'", "'\(second)'")]
        return Tampering(
            description: "\(column) \(first) and \(second) of \(table) exchanged",
            statements: steps.map { "UPDATE \(table) SET \(column) = \($1) WHERE \(column) = \($0)" })
    }

    private static func removed(_ table: String, _ row: String = "true") -> Tampering {
        Tampering(description: "removed from \(table): \(row)", statements: ["DELETE FROM \(table) WHERE \(row)"])
    }

    /// A row once more, with other values in some columns.
    private static func copied(_ table: String, _ columns: String, _ row: String, _ values: [String: String]) -> Tampering {
        let names = columns.split(separator: " ").map(String.init)
        return Tampering(
            description: "copied in \(table): \(row) as \(values.sorted { $0.key < $1.key })",
            statements: [
                """
                INSERT INTO \(table) (\(names.joined(separator: ", ")))
                SELECT \(names.map { values[$0] ?? $0 }.joined(separator: ", ")) FROM \(table) WHERE \(row)
                """
            ])
    }

    private static var ofCampaigns: [Tampering] {
        let (row, part) = ("bundle_id = 'a' AND id = 'spring'", "bundle_id = 'a' AND campaign_id = 'spring'")
        let versions = ["version", "draft_version", "standing_version", "testers_version"].map { ($0, "\($0) + 1") }
        let columns = """
            bundle_id id version draft_version standing_version testers_version created_at created_by created_reason standing stood_at \
            stood_by stood_reason step changed_at changed_by changed_reason is_archived
            """
        let other = [("id", "'autumn'"), ("bundle_id", "'c'"), ("standing", "'ended'"), ("standing", "'?'"), ("step", "'note'")]
        var all = edits("campaign", row, versions + acts + other + [("is_archived", "NOT is_archived")])
        all += [
            removed("campaign"), removed("campaign", row), exchange("campaign", "bundle_id", "a", "b"),
            copied("campaign", columns, row, ["id": "'autumn'"]), copied("campaign", columns, row, ["bundle_id": "'c'"]),
        ]
        let document = "(SELECT document FROM campaign_draft)"
        let draft =
            ["saved", "submitted"].flatMap(edits(ofAct:)) + [
                ("document", "(SELECT document FROM campaign_revision WHERE \(part) AND number = 1)"), ("based_on", "2"),
                ("authors", "''"), ("authors", "'eve'"), ("submitted_at", "NULL"), ("campaign_id", "'autumn'"),
            ]
        all += edits("campaign_draft", part, draft)
        all += [
            Tampering(
                description: "an approval that nobody gave",
                statements: ["UPDATE campaign_draft SET is_approved = true, ruled_at = 9, ruled_by = 'eve', ruled_reason = ''"]),
            Tampering(description: "an approval by nobody", statements: ["UPDATE campaign_draft SET is_approved = true"]),
            removed("campaign_draft"), removed("campaign_draft", part), exchange("campaign_draft", "bundle_id", "a", "b"),
        ]
        for number in 1...3 {
            let revision = "\(part) AND number = \(number)"
            let changes =
                ["approved", "published"].flatMap(edits(ofAct:)) + [
                    ("number", "9"), ("number", "0"), ("document", document.replacing(")", with: " WHERE \(part))")),
                    ("authors", "'eve'"), ("copy_of", number == 2 ? "1" : "2"), ("campaign_id", "'autumn'"),
                    ("bundle_id", "'c'"),
                ]
            all += edits("campaign_revision", revision, changes) + [removed("campaign_revision", revision)]
            let columns = """
                bundle_id campaign_id number document authors approved_at approved_by approved_reason published_at published_by \
                published_reason copy_of
                """
            all.append(copied("campaign_revision", columns, revision, ["number": "4"]))
            all.append(copied("campaign_revision", columns, revision, ["campaign_id": "'autumn'"]))
        }
        let exchanged = [("1", "-1"), ("2", "1"), ("-1", "2")].map {
            "UPDATE campaign_revision SET number = \($1) WHERE \(part) AND number = \($0)"
        }
        all.append(Tampering(description: "two revisions exchanged", statements: exchanged))
        all += [exchange("campaign_revision", "bundle_id", "a", "b"), removed("campaign_revision")]
        let tester = "\(part) AND id = 'u1'"
        all += edits(
            "campaign_tester", tester,
            [("id", "'eve'"), ("kind", "'appTransaction'"), ("variant", "'new'"), ("note", "'Eve'"), ("place", "9")])
        all += [
            removed("campaign_tester"), removed("campaign_tester", tester), exchange("campaign_tester", "id", "u1", "u2"),
            copied("campaign_tester", "bundle_id campaign_id place kind id variant note", tester, ["place": "9"]),
            copied("campaign_tester", "bundle_id campaign_id place kind id variant note", tester, ["campaign_id": "'autumn'"]),
        ]
        return all
    }

    private static var ofOthers: [Tampering] {
        let row = "bundle_id = 'a' AND id = 'lapsed'"
        let columns = "bundle_id id version document changed_at changed_by changed_reason"
        let changes = [
            ("version", "version + 1"), ("document", "(SELECT document FROM campaign_draft WHERE bundle_id = 'b' LIMIT 1)"),
            ("id", "'autumn'"), ("bundle_id", "'c'"),
        ]
        var all = edits("segment", row, edits(ofAct: "changed") + changes)
        all += [
            removed("segment"), removed("segment", row), exchange("segment", "bundle_id", "a", "b"),
            copied("segment", columns, row, ["id": "'gone'"]), copied("segment", columns, row, ["bundle_id": "'c'"]),
        ]
        let proposal = [
            ("id", "'p9'"), ("wish", "'revoke'"), ("key_id", "'OLD'"), ("bundle_ids", "'a'"), ("proposed_at", "31"),
            ("proposed_by", "'eve'"), ("reason", "''"),
        ]
        let names = "id wish key_id bundle_ids proposed_at proposed_by reason"
        all += edits("key_proposal", "id = 'p1'", proposal)
        all += ["p2", "p3", "p4"].map { copied("key_proposal", names, "id = 'p1'", ["id": "'\($0)'"]) }
        all.append(removed("key_proposal"))
        all += edits("event_endpoint", "true", [("endpoint", "'mail'"), ("disabled_at", "disabled_at + 1")])
        all += [
            removed("event_endpoint"), copied("event_endpoint", "endpoint disabled_at", "true", ["endpoint": "'mail'"]),
        ]
        return all
    }

    /// The events of an object doubled, moved, changed or removed. The chains say so as well.
    private static var ofEvents: [Tampering] {
        let columns = """
            id at actor action bundle_id subject before after reason request_id customer_id transaction_id address chain link \
            personal_digest
            """
        let next = "(SELECT max(id) FROM audit_event) + 1"
        return ["campaign.create", "campaign.save", "segment.save", "segment.remove", "key.propose", "event.disable"].flatMap {
            let event = "id = (SELECT max(id) FROM audit_event WHERE action = '\($0)')"
            return [
                removed("audit_event", event), copied("audit_event", columns, event, ["id": next]),
                copied("audit_event", columns, event, ["id": next, "bundle_id": "'c'", "subject": "'x'"]),
            ]
                + edits(
                    "audit_event", event,
                    [
                        ("subject", "'x'"), ("bundle_id", "'c'"), ("after", "'live'"), ("before", "'live'"),
                        ("action", "'campaign.x'"),
                    ])
        }
    }

    // MARK: what is found

    @Test("Each of them is found by a verification, whole or in rounds", arguments: DecisionTamperingTests.Database.all)
    func found(_ kind: DecisionTamperingTests.Database) async throws {
        let (store, database, folder) = try kind.make()
        defer { withExtendedLifetime(folder) {} }
        try await Self.fill(store)
        #expect(try await store.audit.verify(.plain([1]), heads: []).faults == [])
        // The rows are compared, whatever keeps them from being changed.
        try database.run(["DROP TRIGGER campaign_revision_kept" + (kind == .sqlite ? "" : " ON campaign_revision")])
        try database.run(Self.tables.map { "CREATE TABLE kept_\($0) AS SELECT * FROM \($0)" })
        let ofRows = Self.ofCampaigns + Self.ofOthers
        #expect(ofRows.count > 120)
        for tampering in ofRows + Self.ofEvents {
            try database.run(tampering.statements)
            let faults = try await store.audit.verify(.plain([1]), heads: []).faults
            #expect(!faults.isEmpty, "\(kind): \(tampering)")
            try database.run(Self.tables.flatMap { ["DELETE FROM \($0)", "INSERT INTO \($0) SELECT * FROM kept_\($0)"] })
        }
        #expect(try await store.audit.verify(.plain([1]), heads: []).faults == [])
        try database.run(["UPDATE campaign SET standing = 'paused' WHERE bundle_id = 'b'"])
        var walk = store.audit.walk(.plain([1]))
        while !walk.isOver { walk = try await store.audit.step(walk, limit: 100) }
        let fault = try #require(walk.fault)
        #expect("\(fault)".hasPrefix("the campaign spring of b is “paused, revision 3 (copy of 1) sha256:"))
        #expect("\(fault)".contains(", and its last event says “live, revision 3 (copy of 1) sha256:"))
    }

    @Test("What is erased of testers is told", arguments: SigningStoreUnderTest.allCases)
    func erased(_ implementation: SigningStoreUnderTest) async throws {
        let (store, folder) = try implementation.make()
        defer { withExtendedLifetime(folder) {} }
        try await Self.fill(store)
        let before = try #require(try await store.marketing.campaigns.campaign(id: "spring", bundleID: "a"))
        let erasure = AuditEvent(at: Instant(milliseconds: 50), actor: "ann", action: "customer.erase", requestID: "r")
        _ = try await store.audit.erase(["u1", "u3"], bundleID: "a", audit: erasure)
        #expect(try await store.audit.verify(.plain([1]), heads: []).faults == [])
        let after = try #require(try await store.marketing.campaigns.campaign(id: "spring", bundleID: "a"))
        #expect(after.testers.map(\.id) == ["u2"])
        // A person who has seen the earlier list must look again.
        #expect(after.version == before.version + 1 && after.versions.testers == after.version)
        #expect(try await store.marketing.campaigns.write(before.next(), audit: []) == .changedMeanwhile(after))
        let told = try await store.audit.entries(.events, AuditFilter(action: "campaign.testers"), before: nil, limit: 9)
        #expect(Set(told.map(\.event.object.id)) == ["spring", "summer"] && told.allSatisfy { $0.event.requestID == "r" })
        #expect(told.contains { $0.event.object.after == after.auditText(.testing) })
    }
}
