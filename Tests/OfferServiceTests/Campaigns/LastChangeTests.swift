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

    @Test("A campaign whose schedule is over has ended then, and not when it was published, or ended again by a person")
    func ended() throws {
        let document =
            Array(
                #"{"id": "a", "name": "A", "bundleId": "com.example.app", "schedule": {"until": "1970-01-01T00:00:05Z"}, "#.utf8)
            + Array(#""variants": [{"id": "v", "weight": 10000, "link": "https://apps.apple.com/x"}]}"#.utf8)
        let name = CampaignName("a", of: "com.example.app")
        func act(_ at: Int64, by person: String = "ann") -> CampaignAct {
            CampaignAct(at: Instant(milliseconds: at), by: person)
        }
        var record = CampaignRecord(name, draft: document, by: act(1))
        for (at, person, change) in [(2, "ann", .submit), (3, "ben", .approve), (4, "ann", .publish)]
            as [(Int64, String, CampaignChange)]
        {
            record = try record.stepped(change, by: act(at, by: person)) { $0 != $1 }
        }
        func since(_ record: CampaignRecord, at now: Int64) -> Int64 {
            ManagedCampaign(record, at: Instant(milliseconds: now)).standsSince.milliseconds
        }
        #expect(since(record, at: 4000) == 4 && since(record, at: 6000) == 5000)
        #expect(since(try record.stepped(.end, by: act(7000)) { $0 != $1 }, at: 8000) == 5000)
        #expect(since(try record.stepped(.end, by: act(3000)) { $0 != $1 }, at: 8000) == 3000)
    }
}
