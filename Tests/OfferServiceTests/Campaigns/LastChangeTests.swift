import EligibilityRules
import OfferStore
import Testing

@testable import OfferService

@Suite("The last change of a campaign")
struct LastChangeTests {
    @Test("Each step says what was done, when, and who did it, also one that leaves no trace in the campaign")
    func steps() throws {
        let name = CampaignName("spring-winback", of: "com.example.app")
        var (record, at) = (CampaignRecord(name, draft: [1], by: CampaignAct(at: Instant(milliseconds: 1), by: "ann")), Int64(1))
        func last() -> CampaignAct { ManagedCampaign(record, at: Instant(milliseconds: at)).lastChange.act }
        func words() -> String { ManagedCampaign(record, at: Instant(milliseconds: at)).lastChange.words }
        #expect(words() == "saved a draft" && last().by == "ann")
        let steps: [(CampaignChange, by: String, String)] = [
            (.submit, "ann", "sent the draft to review"), (.reject, "ben", "rejected the draft"),
            (.save([2]), "ann", "saved a draft"),
            (.submit, "ann", "sent the draft to review"), (.approve, "ben", "approved the draft"),
            (.publish, "cleo", "published revision 1"), (.setTesters([]), "dan", "changed the testers"),
            (.pause, "ann", "paused it"), (.save([3]), "ann", "saved a draft"), (.discard, "ben", "discarded the draft"),
            (.resume, "ann", "resumed it"), (.end, "cleo", "ended it"), (.archive, "ann", "archived it"),
            (.unarchive, "ben", "took it out of the archive"),
        ]
        for (change, person, expected) in steps {
            at += 1
            let act = CampaignAct(at: Instant(milliseconds: at), by: person)
            record = try record.stepped(change, by: act) { $0 != $1 }
            #expect(words() == expected)
            #expect((last().by, last().at.milliseconds) == (person, at), "\(expected)")
        }
    }
}
