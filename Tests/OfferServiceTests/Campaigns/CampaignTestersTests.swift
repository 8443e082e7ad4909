import EligibilityRules
import OfferStore
import OfferStoreTesting
import Testing

@testable import OfferService

@Suite("Testers of campaigns")
struct CampaignTestersTests {
    private static func document(_ variants: String...) -> [UInt8] {
        let list = variants.map { #"{"id":"\#($0)","weight":1}"# }.joined(separator: ",")
        return Array(#"{"id":"a","name":"a","bundleId":"b","variants":[\#(list)]}"#.utf8)
    }

    private let record = CampaignRecord.sample(
        draft: .sample(document("new", "control")), published: .sample(1, document: document("control", "half")), standing: .live)

    private func faults(_ testers: [CampaignTester], of record: CampaignRecord? = nil) -> [String] {
        do {
            try (record ?? self.record).check(testers)
            return []
        } catch .invalidTesters(let faults) {
            return faults.map(\.name)
        } catch {
            return ["\(error)"]
        }
    }

    @Test("Every variant of the draft and of what is published can be tried, and no other")
    func variants() {
        #expect(faults(["new", "control", "half"].map { CampaignTester(id: "u-\($0)", variant: $0) }) == [])
        #expect(
            faults([CampaignTester(id: "a", variant: "half"), CampaignTester(id: "b", variant: "holdout")]) == [
                "testers[1].variant"
            ])
        let unread = CampaignRecord.sample(draft: .sample([0x7B]))
        #expect(faults([CampaignTester(id: "a", variant: "half")], of: unread) == ["testers[0].variant"])
    }

    @Test("No tester is there twice, nameless, or with a novel beside the name")
    func names() {
        let twice = [CampaignTester(id: "a", variant: "half"), CampaignTester(id: "a", variant: "new", note: "again")]
        #expect(faults(twice) == ["testers[1].customerId"])
        #expect(
            faults([CampaignTester(id: "a", variant: "half"), CampaignTester(kind: .appTransaction, id: "a", variant: "half")])
                == [])
        let bad = [
            CampaignTester(id: "", variant: "half"),
            CampaignTester(kind: .originalTransaction, id: String(repeating: "1", count: 256), variant: "half"),
            CampaignTester(id: "b", variant: "half", note: String(repeating: "ä", count: 201)),
        ]
        #expect(faults(bad) == ["testers[0].customerId", "testers[1].originalTransactionId", "testers[2].note"])
    }

    @Test("A hundred are enough")
    func count() {
        let all = (0...100).map { CampaignTester(id: "u-\($0)", variant: "half") }
        #expect(faults(Array(all.dropLast())) == [])
        #expect(faults(all) == ["testers"])
    }

    @Test("Changes of testers do not collide with edits or pauses, but with each other")
    func versions() throws {
        let act = CampaignAct.sample(9, by: "somebody")
        func take(_ change: CampaignChange, _ record: CampaignRecord) throws -> CampaignRecord {
            try record.stepped(change, by: act, areTwoPersons: !=)
        }
        let testers = [CampaignTester(id: "a", variant: "half")]
        let tried = try take(.setTesters(testers), record)
        #expect(tried.testers == testers && tried.versions.testers == 2 && tried.draft == record.draft)
        #expect(tried.isAsSeen(1, for: .save) && tried.isAsSeen(1, for: .pause) && !tried.isAsSeen(1, for: .setTesters))
        let saved = try take(.save(Self.document("half")), tried)
        #expect(saved.isAsSeen(2, for: .setTesters) && saved.testers == testers)
        let told = tried.auditText(.openSSL)
        #expect(told.contains("; 1 tester sha256:") && !told.contains("\"a\""))
        #expect(try !take(.setTesters([]), saved).auditText(.openSSL).contains("tester"))
        #expect(throws: CampaignError.self) { try take(.setTesters([]), take(.end, saved)) }
    }
}
