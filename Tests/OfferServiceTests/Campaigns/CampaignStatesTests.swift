import EligibilityRules
import OfferStore
import OfferStoreSQLite
import OfferStoreTesting
import TestRandomness
import Testing

@testable import OfferService

/// Whatever people do, the events tell of it.
@Suite("Events tell of every state of a campaign")
struct CampaignStatesTests {
    private static let document = Array(
        #"{"id":"a","name":"a","bundleId":"b","variants":[{"id":"half","weight":1},{"id":"new","weight":1}]}"#.utf8)

    @Test("The events of every step are compared")
    func actions() {
        let actions: [AuditAction] =
            CampaignStep.allCases.map(\.action) + [
                .createCampaign, .saveSegment, .removeSegment, .proposeKey, .agreeKey, .withdrawKey, .enableEvents,
                .disableEvents,
            ]
        #expect(Set(actions.map(\.rawValue)) == Set(StateComparison.actions))
    }

    @Test("Random lives of campaigns with the same id in two apps verify after every step", arguments: [1, 2, 3] as [UInt64])
    func lives(_ seed: UInt64) async throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let store = try SigningStore.sqlite(path: folder.path("store.sqlite"), audit: .openSSL) { _ in }
        let system = SystemEnvironment(
            now: { Instant(milliseconds: 1_900_000_000_000) }, randomBytes: SystemEnvironment.live.randomBytes)
        let desk = CampaignDesk(store: store.marketing.campaigns, access: store.credentials.access, system: system) { _, _, _ in
            []
        }
        var (random, taken) = (SplitMix64(seed: seed), Set<CampaignStep>())
        for app in ["a", "b"] {
            let name = CampaignName("spring", of: app)
            _ = try await desk.create(name, Self.document, writers: ["cam"], by: Origin(actor: "ann"))
            _ = try await desk.change(name, [.submit, .approve, .publish], seen: 1, by: Origin(actor: "ben"))
        }
        for _ in 0..<100 {
            let name = CampaignName("spring", of: random.any(of: ["a", "b"]))
            let origin = Origin(actor: random.any(of: ["ann", "ben"]))
            let now = try #require(try await store.marketing.campaigns.campaign(id: name.id, bundleID: name.bundleID))
            var changes = [try await change(of: now, desk, name, &random)]
            if changes[0].step == .submit, random.once(in: 2) { changes += [.approve, .publish] }
            do {
                let outcome = try await desk.change(
                    name, changes, seen: now.version, by: origin, reason: random.any(of: ["", "ü"]))
                if case .done = outcome { taken.formUnion(changes.map(\.step)) }
            } catch is CampaignError {}
            if random.once(in: 20) {
                let event = origin.event(.eraseCustomer, at: system.now())
                _ = try await store.audit.erase([random.any(of: ["u1", "u2"])], bundleID: name.bundleID, audit: event)
            }
            #expect(try await store.audit.verify(.plain([1]), heads: []).faults == [])
        }
        #expect(taken.isSuperset(of: [.save, .submit, .setTesters, .note, .pause]))
    }

    private func change(
        of record: CampaignRecord,
        _ desk: CampaignDesk,
        _ name: CampaignName,
        _ random: inout SplitMix64
    ) async throws -> CampaignChange {
        let testers = ["u1", "u2", "\u{E4}", "a\u{308}"].filter { _ in random.once(in: 2) }
        var all: [CampaignChange] = [
            .save(Self.document + [0x20], writers: [random.any(of: ["cam", "dan"])]), .discard, .submit, .submit, .submit,
            .approve,
            .publish, .reject, .pause, .resume, .note, .setTesters(testers.map { CampaignTester(id: $0, variant: "half") }),
        ]
        if record.latest > 1 { all.append(.rollBack(try await desk.revision(random.below(record.latest - 1) + 1, of: name))) }
        if random.once(in: 100) { all = [.end] }
        if record.status.standing == .ended { all = [.archive, .unarchive, .note] }
        return random.any(of: all)
    }
}
