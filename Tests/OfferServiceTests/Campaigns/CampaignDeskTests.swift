import OfferSigning
import OfferStore
import OfferStoreTesting
import TestRandomness
import Testing

@testable import EligibilityRules
@testable import OfferService

@Suite("Campaign desk")
struct CampaignDeskTests {
    private static let name = CampaignName("spring-winback", of: "com.example.app")
    private let name = Self.name
    private let stores = TemporaryStore()
    private let desk: CampaignDesk

    init() async throws {
        let access = stores.credentials.access
        desk = Self.desk(stores.marketing.campaigns, access)
        for (id, role, maker) in [("ann", "marketing", "root"), ("ben", "approver", "root"), ("ann2", "approver", "ann")] {
            try await access.add(
                AccessRecord(
                    id: id, secretDigest: [], role: role, apps: nil, note: "",
                    lifetime: AccessLifetime(createdAt: Instant(milliseconds: 1), createdBy: maker)))
        }
        try await access.add(
            AccessRecord(
                id: "root", secretDigest: [], role: "admin", apps: nil, note: "",
                lifetime: AccessLifetime(createdAt: Instant(milliseconds: 0))))
    }

    private var store: any CampaignStore { stores.marketing.campaigns }
    private var access: any AccessStore { stores.credentials.access }

    /// For it a document that begins with an exclamation mark is faulty, and one with a question mark strange.
    private static func desk(_ store: any CampaignStore, _ access: any AccessStore) -> CampaignDesk {
        let system = SystemEnvironment(
            now: { Instant(milliseconds: 1_700_000_000_000) }, randomBytes: SystemEnvironment.live.randomBytes)
        return CampaignDesk(store: store, access: access, system: system) { document, name, _ in
            #expect(name.bundleID == "com.example.app")
            guard let first = document.first, first == 0x21 || first == 0x3F else { return [] }
            return [
                CampaignFinding(
                    first == 0x21 ? "weight" : "name", .invalidWeight, "so", severity: first == 0x21 ? .error : .warning)
            ]
        }
    }

    private func by(_ actor: String) -> Origin { Origin(actor: actor, requestID: "r", address: "::1") }

    private func done(_ result: EditOutcome<CampaignRecord, CampaignRecord>) throws -> CampaignRecord {
        guard case .done(let record) = result else { throw Unexpected(result: result) }
        return record
    }

    private struct Unexpected: Error { let result: EditOutcome<CampaignRecord, CampaignRecord> }

    private func document(_ text: String) -> [UInt8] { Array(text.utf8) }

    private func earlier(_ number: Int) async throws -> CampaignPublication { try await desk.revision(number, of: name) }

    /// Published by Ann and Ben.
    @discardableResult
    private func published(_ texts: String...) async throws -> CampaignRecord {
        var record = try await store.campaign(id: name.id, bundleID: name.bundleID)
        for text in texts {
            let now =
                if let record {
                    try done(await desk.change(name, [.save(document(text))], seen: record.version, by: by("ann")))
                } else {
                    try done(await desk.create(name, document(text), by: by("ann")))
                }
            let submitted = try done(await desk.change(name, [.submit], seen: now.version, by: by("ann")))
            record = try done(await desk.change(name, [.approve, .publish], seen: submitted.version, by: by("ben")))
        }
        return record!
    }

    @Test("From the first draft to the end, each step is in the audit log with the digests of what was approved")
    func life() async throws {
        var now = try done(await desk.create(name, document("one"), by: by("ann"), reason: "for spring"))
        now = try done(await desk.change(name, [.save(document("two"))], seen: now.version, by: by("ann")))
        now = try done(await desk.change(name, [.submit], seen: now.version, by: by("ann"), reason: "please look"))
        now = try done(await desk.change(name, [.reject], seen: now.version, by: by("ben"), reason: "too much"))
        now = try done(await desk.change(name, [.submit], seen: now.version, by: by("ann")))
        now = try done(await desk.change(name, [.approve], seen: now.version, by: by("ben"), reason: "fine"))
        #expect(try await store.live(bundleIDs: [name.bundleID]).isEmpty)
        now = try done(await desk.change(name, [.publish], seen: now.version, by: by("ann"), reason: "go"))
        let live = try #require(now.published)
        #expect((live.number, live.document, live.authors, live.copyOf) == (1, document("two"), ["ann"], nil))
        #expect(
            (live.approved.by, live.approved.reason, live.published.by, live.published.reason) == ("ben", "fine", "ann", "go"))
        #expect(try await store.live(bundleIDs: [name.bundleID]).map(\.standing) == [.live])
        now = try done(await desk.change(name, [.pause], seen: now.version, by: by("ann"), reason: "stop"))
        #expect(try await store.live(bundleIDs: [name.bundleID]).map(\.standing) == [.paused])
        now = try done(await desk.change(name, [.resume], seen: now.version, by: by("ann")))
        now = try done(await desk.change(name, [.end], seen: now.version, by: by("ann"), reason: "over"))
        #expect(now.version == 10 && now.status.change.reason == "over")
        #expect(try await store.live(bundleIDs: [name.bundleID]).isEmpty)
        #expect(try await store.campaign(id: name.id, bundleID: name.bundleID) == now)

        let events = try await stores.audit.entries(.events, AuditFilter(action: "campaign."), before: nil, limit: 99).reversed()
            .map(\.event)
        #expect(
            events.map { "\($0.actor) \($0.action) \($0.reason ?? "-")" } == [
                "ann campaign.create for spring", "ann campaign.save -", "ann campaign.submit please look",
                "ben campaign.reject too much", "ann campaign.submit -", "ben campaign.approve fine", "ann campaign.publish go",
                "ann campaign.pause stop", "ann campaign.resume -", "ann campaign.end over",
            ])
        // sha256sum
        let two = "sha256:3fc4ccfe745870e2c0d99f71f30ff0656c8dedd41cc1d7d3d376b0dbe685e2f3"
        #expect(events[5].object.before?.hasPrefix("unpublished; draft of revision 0 in-review \(two), row sha256:") == true)
        #expect(events[5].object.after?.hasPrefix("unpublished; draft of revision 0 approved \(two), row sha256:") == true)
        #expect(events[6].object.after?.hasPrefix("live, revision 1 \(two), row sha256:") == true)
        #expect(events[6].object.after?.contains("…; version 7, row sha256:") == true)
        #expect(events.last?.object.after == now.auditText(.openSSL))
        #expect(events.allSatisfy { $0.partition?.name == name.bundleID && $0.object.id == name.id && $0.requestID == "r" })
        #expect(zip(events, events.dropFirst()).allSatisfy { $0.object.after == $1.object.before })
    }

    @Test("Of two editors the later one gets an error, sees both versions and loses nothing")
    func twoEditors() async throws {
        let seen = try done(await desk.create(name, document("base"), by: by("ann"))).version
        let first = try done(await desk.change(name, [.save(document("Ann's"))], seen: seen, by: by("ann")))
        let late = try await desk.change(name, [.save(document("Ben's"))], seen: seen, by: by("ben"))
        #expect(late == .changedMeanwhile(now: first))
        #expect(first.draft?.document == document("Ann's") && first.draft?.saved.by == "ann")
        #expect(try await store.campaign(id: name.id, bundleID: name.bundleID) == first)
        // Having seen it, Ben puts the two together, and both are authors.
        let both = try done(await desk.change(name, [.save(document("both"))], seen: first.version, by: by("ben")))
        #expect(both.draft?.authors == ["ann", "ben"])
        #expect(
            try await desk.create(name, document("again"), by: by("ben"))
                == .changedMeanwhile(now: both))
        // A version that never existed was seen by no person.
        #expect(
            try await desk.change(name, [.save([])], seen: 99, by: by("ben")) == .changedMeanwhile(now: both))
    }

    @Test("What was changed after a look is not submitted, approved, published or rejected unseen")
    func unseen() async throws {
        let old = try done(await desk.create(name, document("seen"), by: by("ann"))).version
        var now = try done(await desk.change(name, [.save(document("unseen"))], seen: old, by: by("ann")))
        #expect(try await desk.change(name, [.submit], seen: old, by: by("ann")) == .changedMeanwhile(now: now))
        now = try done(await desk.change(name, [.submit], seen: now.version, by: by("ann")))
        for result in [
            try await desk.change(name, [.approve, .publish], seen: old, by: by("ben")),
            try await desk.change(name, [.reject], seen: now.version - 1, by: by("ben"), reason: ""),
        ] {
            #expect(result == .changedMeanwhile(now: now))
        }
        let approved = try done(await desk.change(name, [.approve], seen: now.version, by: by("ben")))
        now = try done(await desk.change(name, [.save(document("after approval"))], seen: approved.version, by: by("ann")))
        #expect(
            try await desk.change(name, [.publish], seen: approved.version, by: by("ann"))
                == .changedMeanwhile(now: now))
        await #expect(throws: CampaignError.notNow(.publish, CampaignPosition(.writing, .unpublished))) {
            try await desk.change(name, [.publish], seen: now.version, by: by("ann"))
        }
        #expect(now.published == nil)
    }

    @Test("Who writes and who stops the campaign do not get into each other's way; who resumes sees what will run")
    func independent() async throws {
        let seen = try await published("one").version
        _ = try done(await desk.change(name, [.save(document("two"))], seen: seen, by: by("ann")))
        let paused = try done(await desk.change(name, [.pause], seen: seen, by: by("ben"), reason: "emergency"))
        #expect(paused.draft?.document == document("two") && paused.status.standing == .paused)
        // Paused after Ann looked; her draft is as she knows it.
        let saved = try done(await desk.change(name, [.save(document("three"))], seen: seen + 1, by: by("ann")))
        #expect(saved.status.standing == .paused && saved.draft?.document == document("three"))
        #expect(try await desk.change(name, [.pause], seen: seen, by: by("ann")) == .changedMeanwhile(now: saved))
        let submitted = try done(await desk.change(name, [.submit], seen: saved.version, by: by("ann")))
        let second = try done(await desk.change(name, [.approve, .publish], seen: submitted.version, by: by("ben")))
        #expect(second.status.standing == .paused && second.latest == 2)
        #expect(
            try await desk.change(name, [.resume], seen: paused.version, by: by("ben"))
                == .changedMeanwhile(now: second))
        #expect(try done(await desk.change(name, [.resume], seen: second.version, by: by("ben"))).status.standing == .live)
    }

    @Test(
        "Authors do not approve what they wrote, nor does their second key",
        arguments: [
            ("ann", "ann", false), ("ann", "ann2", false), ("ann2", "ann", false), ("ann", "ben", true), ("ben", "ann2", true),
            ("ann", "root", false), ("command-line", "command-line", false), ("command-line", "ben", true),
            ("ann", "command-line", true),
        ])
    func persons(_ author: String, _ approver: String, _ isFine: Bool) async throws {
        _ = try done(await desk.create(name, document("x"), by: by(author)))
        let submitted = try done(await desk.change(name, [.submit], seen: 1, by: by("ben")))
        for publish in [false, true] where !isFine {
            await #expect(throws: CampaignError.ownWork(author: author)) {
                try await desk.change(
                    name, publish ? [.approve, .publish] : [.approve], seen: submitted.version, by: by(approver))
            }
            #expect(try await store.campaign(id: name.id, bundleID: name.bundleID) == submitted)
        }
        if isFine { _ = try done(await desk.change(name, [.approve, .publish], seen: submitted.version, by: by(approver))) }
    }

    @Test("The author of a part does not approve the whole, even if another person saved it last")
    func allAuthors() async throws {
        _ = try done(await desk.create(name, document("Ben's part"), by: by("ben")))
        _ = try done(await desk.change(name, [.save(document("Ben's part and Ann's"))], seen: 1, by: by("ann")))
        _ = try done(await desk.change(name, [.submit], seen: 2, by: by("ann")))
        await #expect(throws: CampaignError.ownWork(author: "ben")) {
            try await desk.change(name, [.approve], seen: 3, by: by("ben"))
        }
        // One of them answers for all of it, and the other looks.
        _ = try done(await desk.change(name, [.discard], seen: 3, by: by("ann")))
        _ = try done(await desk.change(name, [.save(document("Ben's part and Ann's"))], seen: 4, by: by("ann")))
        _ = try done(await desk.change(name, [.submit], seen: 5, by: by("ann")))
        _ = try done(await desk.change(name, [.approve], seen: 6, by: by("ben")))
    }

    @Test("An approval and what it publishes are one change, or none")
    func approvedAndPublished() async throws {
        let before = try await published("one")
        let saved = try done(await desk.change(name, [.save(document("two"))], seen: before.version, by: by("ann")))
        let submitted = try done(await desk.change(name, [.submit], seen: saved.version, by: by("ann")))
        let now = try done(await desk.change(name, [.approve, .publish], seen: submitted.version, by: by("ben"), reason: "fine"))
        #expect((now.version, now.versions.draft, now.latest) == (submitted.version + 1, submitted.version + 1, 2))
        #expect(now.published?.approved == now.published?.published)
        let events = try await stores.audit.entries(.events, AuditFilter(action: "campaign."), before: nil, limit: 2)
        #expect(events.map(\.event.action) == ["campaign.publish", "campaign.approve"])
    }

    @Test("A roll-back publishes a copy, and a draft from before it has to be looked at again")
    func rollBack() async throws {
        let second = try await published("one", "two")
        let draft = try done(await desk.change(name, [.save(document("three"))], seen: second.version, by: by("ann")))
        // Publishing it again is approving it again.
        for author in ["ann", "ann2"] {
            await #expect(throws: CampaignError.ownWork(author: "ann")) {
                try await desk.change(name, [.rollBack(earlier(1))], seen: draft.version, by: by(author))
            }
        }
        let third = try done(
            await desk.change(name, [.rollBack(earlier(1))], seen: draft.version, by: by("ben"), reason: "two was wrong"))
        let copy = try #require(third.published)
        #expect(copy.approved == copy.published)
        #expect((copy.number, copy.document, copy.copyOf) == (3, document("one"), 1))
        #expect((copy.authors, copy.approved.by, copy.published.by) == (["ann"], "ben", "ben"))
        #expect(third.draft == draft.draft)
        #expect(try await store.live(bundleIDs: [name.bundleID]).map(\.document) == [document("one")])
        let all = try await store.publications(of: name.id, bundleID: name.bundleID, before: nil, limit: 9)
        #expect(all.map(\.document) == ["one", "two", "one"].map(document))

        await #expect(throws: CampaignError.outdated(basedOn: 2, latest: 3)) {
            try await desk.change(name, [.submit], seen: third.version, by: by("ann"))
        }
        for strange in [0, 4] {
            await #expect(throws: CampaignError.unknownRevision(strange, latest: 3)) {
                try await desk.change(name, [.save([], basedOn: strange)], seen: third.version, by: by("ann"))
            }
            await #expect(throws: CampaignError.unknownRevision(strange, latest: 3)) {
                try await desk.change(name, [.rollBack(earlier(strange))], seen: third.version, by: by("ann"))
            }
        }
        await #expect(throws: CampaignError.unknownRevision(3, latest: 3)) {
            try await desk.change(name, [.rollBack(earlier(3))], seen: third.version, by: by("ann"))
        }
        let again = try done(await desk.change(name, [.save(document("3"), basedOn: 3)], seen: third.version, by: by("ann")))
        _ = try done(await desk.change(name, [.submit], seen: again.version, by: by("ann")))
    }

    @Test("A roll-back that another change overtook is reported, and so is an approval of what a roll-back has overtaken")
    func overtaken() async throws {
        let second = try await published("one", "two")
        let draft = try done(await desk.change(name, [.save(document("three"))], seen: second.version, by: by("ann")))
        #expect(
            try await desk.change(name, [.rollBack(earlier(1))], seen: second.version, by: by("ben"))
                == .changedMeanwhile(now: draft)
        )
        let submitted = try done(await desk.change(name, [.submit], seen: draft.version, by: by("ann")))
        let back = try done(await desk.change(name, [.rollBack(earlier(1))], seen: submitted.version, by: by("ben")))
        await #expect(throws: CampaignError.outdated(basedOn: 2, latest: 3)) {
            try await desk.change(name, [.approve, .publish], seen: back.version, by: by("ben"))
        }
    }

    @Test("Whatever makes a revision live is compared with the one that is live, a roll-back too")
    func comparison() async throws {
        let second = try await published("one", "two")
        let bound = CampaignDesk(store: store, access: access, system: SystemEnvironment.live) { _, _, published in
            #expect(published == document("two"))
            return [CampaignFinding("variants", .locked, "so")]
        }
        let saved = try done(await bound.change(name, [.save(document("three"))], seen: second.version, by: by("ann")))
        for change in [CampaignChange.submit, .rollBack(try await earlier(1))] {
            await #expect(throws: CampaignError.faulty([CampaignFinding("variants", .locked, "so")])) {
                try await bound.change(name, [change], seen: saved.version, by: by("ben"))
            }
        }
    }

    @Test("A draft with faults can be kept, and goes no further")
    func faults() async throws {
        let faulty = CampaignError.faulty([CampaignFinding("weight", .invalidWeight, "so")])
        _ = try done(await desk.create(name, document("!"), by: by("ann")))
        await #expect(throws: faulty) { try await desk.change(name, [.submit], seen: 1, by: by("ann")) }
        _ = try done(await desk.change(name, [.save(document("?"))], seen: 1, by: by("ann")))
        _ = try done(await desk.change(name, [.submit], seen: 2, by: by("ann")))
        let strict = CampaignDesk(
            store: store, access: access, system: SystemEnvironment.live,
            check: { _, _, _ in [CampaignFinding("weight", .invalidWeight, "so")] })
        // The catalogue may have changed since.
        await #expect(throws: faulty) { try await strict.change(name, [.approve], seen: 3, by: by("ben")) }
        _ = try done(await desk.change(name, [.approve], seen: 3, by: by("ben")))
        await #expect(throws: faulty) { try await strict.change(name, [.publish], seen: 4, by: by("ben")) }
        _ = try done(await desk.change(name, [.publish], seen: 4, by: by("ben")))
        try await published("two")
        await #expect(throws: faulty) { try await strict.change(name, [.rollBack(earlier(1))], seen: 8, by: by("ben")) }
        // Nor in company: each step of a change is looked at with what the one before has left.
        _ = try done(await desk.change(name, [.save(document("three"))], seen: 8, by: by("ann")))
        await #expect(throws: faulty) {
            try await strict.change(name, [.save(document("four")), .submit], seen: 9, by: by("ann"))
        }
        await #expect(throws: faulty) { try await strict.change(name, [.pause, .submit], seen: 9, by: by("ann")) }
        // What stops it needs no check.
        _ = try done(await strict.change(name, [.pause], seen: 9, by: by("ben")))
    }

    @Test(
        "However people go about it, nothing counts without another person's approval, and what was published stays",
        arguments: 1...10)
    func walks(_ seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let descent = AccessDescent(try await access.accessRecords())
        var now = try done(await desk.create(name, [0], by: by("ann")))
        var (all, taken) = ([CampaignPublication](), Set<CampaignStep>())
        for round in UInt8(1)...200 {
            // Now and then of a person who has not looked for a while; seldom the end.
            let seen = now.version - Int64.random(in: 0...5, using: &random) / 5
            // Else few drafts would ever be published.
            let rare: Set<CampaignStep> = round % 5 == 0 ? [] : [.discard, .reject]
            let others: Set<CampaignStep> = [.setTesters, .note, .archive, .unarchive]
            let steps = CampaignStep.allCases.filter {
                ($0 != .end || round > 190) && !others.contains($0) && !rare.contains($0)
            }
            let possible = steps.filter { CampaignPosition(now).after($0) != nil && ($0 != .save || now.draft == nil) }
            let step = (Int.random(in: 0...3, using: &random) > 0 ? possible : steps).randomElement(using: &random) ?? .save
            let actor = by(["ann", "ann", "ann2", "ben", "root", "command-line"].randomElement(using: &random)!)
            let result: EditOutcome<CampaignRecord, CampaignRecord>?
            do {
                result = try await take(step, [round], seen: seen, by: actor, isInTime: Int.random(in: 0...3, using: &random) > 0)
            } catch is CampaignError {
                result = nil
            }
            let stored = try #require(try await store.campaign(id: name.id, bundleID: name.bundleID))
            if case .done(let next)? = result {
                #expect(next.version == now.version + 1)
                taken.insert(step)
                now = next
            }
            #expect(stored == now)
            let published = try await store.publications(of: name.id, bundleID: name.bundleID, before: nil, limit: 999)
            #expect(published.reversed().starts(with: all))
            all = published.reversed()
            #expect(all.map(\.number) == Array(1..<all.count + 1))
            #expect(all.allSatisfy { each in each.authors.allSatisfy { descent.areTwoPersons($0, each.approved.by) } })
            #expect(now.published == all.last)
        }
        #expect(taken.count > 6 && all.count > 2, "too little was tried: \(taken), \(all.count)")
    }

    private func take(
        _ step: CampaignStep,
        _ document: [UInt8],
        seen: Int64,
        by origin: Origin,
        isInTime: Bool
    ) async throws -> EditOutcome<CampaignRecord, CampaignRecord> {
        switch step {
        case .save: try await desk.change(name, [.save(document, basedOn: isInTime ? nil : 1)], seen: seen, by: origin)
        case .discard: try await desk.change(name, [.discard], seen: seen, by: origin)
        case .submit: try await desk.change(name, [.submit], seen: seen, by: origin)
        case .approve: try await desk.change(name, isInTime ? [.approve, .publish] : [.approve], seen: seen, by: origin)
        case .reject: try await desk.change(name, [.reject], seen: seen, by: origin, reason: "")
        case .publish: try await desk.change(name, [.publish], seen: seen, by: origin)
        case .pause: try await desk.change(name, [.pause], seen: seen, by: origin)
        case .resume: try await desk.change(name, [.resume], seen: seen, by: origin)
        case .end: try await desk.change(name, [.end], seen: seen, by: origin)
        case .setTesters: try await desk.change(name, [.setTesters([])], seen: seen, by: origin)
        case .note: try await desk.change(name, [.note], seen: seen, by: origin, reason: "so")
        case .archive: try await desk.change(name, [.archive], seen: seen, by: origin)
        case .unarchive: try await desk.change(name, [.unarchive], seen: seen, by: origin)
        case .rollBack: try await desk.change(name, [.rollBack(earlier(Int(document[0]) % 5))], seen: seen, by: origin)
        }
    }

    @Test("Every step and note is in the activity, and no later step takes a reason from it")
    func activity() async throws {
        var now = try done(await desk.create(name, document("one"), by: by("ann"), reason: "for spring"))
        func take(_ changes: [CampaignChange], _ actor: String, _ reason: String) async throws {
            now = try done(await desk.change(name, changes, seen: now.version, by: by(actor), reason: reason))
        }
        try await take([.submit], "ann", "please look")
        try await take([.reject], "ben", "too generous")
        try await take([.note], "ann", "three months then")
        try await take([.save(document("two"))], "ann", "")
        try await take([.submit], "ann", "")
        try await take([.approve, .publish], "ben", "fine")
        try await take([.end], "ann", "over")
        try await take([.archive], "ann", "")
        try await take([.note], "ben", "it worked")
        #expect(now.status.isArchived)
        try await take([.unarchive], "ann", "")
        let entries = try await desk.activity(of: name, limit: 99)
        #expect(entries.map(\.number) == Array((1...Int64(12)).reversed()))
        #expect(
            entries.reversed().map { "\($0.step) \($0.act.by) \($0.revision) \($0.act.reason)" } == [
                "create ann 1 for spring", "submit ann 1 please look", "reject ben 1 too generous",
                "note ann 1 three months then", "save ann 1 ", "submit ann 1 ", "approve ben 1 fine", "publish ben 1 fine",
                "end ann 1 over", "archive ann 1 ", "note ben 1 it worked", "unarchive ann 1 ",
            ])
        #expect(!now.status.isArchived)
        let actions = try await stores.audit.entries(.events, AuditFilter(action: "campaign."), before: nil, limit: 99).map(
            \.event.action)
        #expect(actions.contains("campaign.note") && actions.contains("campaign.archive"))
    }

    @Test("A note is no change, and collides with no other work")
    func notes() async throws {
        let first = try done(await desk.create(name, document("one"), by: by("ann")))
        let noted = try done(await desk.change(name, [.note], seen: -1, by: by("ben"), reason: "why so many?"))
        #expect((noted.acts.step, noted.acts.changed) == (first.acts.step, first.acts.changed) && noted.version == 2)
        let saved = try done(await desk.change(name, [.save(document("two"))], seen: first.version, by: by("ann")))
        #expect(saved.version == 3)
    }

    @Test("Campaigns and their revisions can be read, and what is none is refused")
    func reading() async throws {
        let now = try await published("one", "two", "three")
        #expect(try await desk.list(of: name.bundleID, limit: 9) == [now])
        #expect(try await desk.list(of: name.bundleID, after: name.id, limit: 9).isEmpty)
        #expect(try await desk.campaign(name) == now)
        #expect(try await desk.revisions(of: name, before: 3, limit: 1).map(\.document) == [document("two")])
        #expect(try await desk.revision(3, of: name) == now.published)
        await #expect(throws: CampaignError.unknownRevision(4, latest: 3)) { try await desk.revision(4, of: name) }
        let other = CampaignName("other", of: name.bundleID)
        await #expect(throws: CampaignError.unknownCampaign(other)) { try await desk.revisions(of: other, limit: 1) }
        await #expect(throws: CampaignError.unknownCampaign(other)) { try await desk.revision(1, of: other) }
    }

    @Test("What is none is refused by name")
    func strangers() async throws {
        for id in ["", "Spring", "a--b", "-a", "a_b", "ä", String(repeating: "a", count: 65)] {
            await #expect(throws: CampaignError.invalidID(id)) {
                try await desk.create(CampaignName(id, of: name.bundleID), [], by: by("ann"))
            }
        }
        let large = [UInt8](repeating: 0x20, count: 262_145)
        await #expect(throws: CampaignError.tooLarge(maxBytes: 262_144)) { try await desk.create(name, large, by: by("ann")) }
        await #expect(throws: CampaignError.unknownCampaign(name)) {
            try await desk.change(name, [.pause], seen: 1, by: by("ann"))
        }
        _ = try done(await desk.create(name, Array(large.dropLast()), by: by("ann")))
        await #expect(throws: CampaignError.tooLarge(maxBytes: 262_144)) {
            try await desk.change(name, [.save(large)], seen: 1, by: by("ann"))
        }
    }
}
