import EligibilityRules
import OfferStore
import OfferStoreTesting
import Testing

@testable import OfferService

@Suite("Life of a campaign")
struct CampaignPositionTests {
    /// Where each step leads, by where a campaign is; written by hand, a dash where it leads nowhere.
    ///
    /// A position is its phase's and its standing's first letter: none, writing, (in) review, approved, (re)jected; unpublished, live,
    /// paused, ended, (archi)ved.
    private static let table = """
            save discard submit approve reject publish pause resume end rollback testers note archive unarchive
        nu  wu   -       -      -       -      -       -     -      ne  -  nu  nu  -  -
        wu  wu   nu      ru     -       -      -       -     -      we  -  wu  wu  -  -
        ru  wu   nu      -      au      ju     -       -     -      re  -  ru  ru  -  -
        au  wu   nu      -      -       ju     nl      -     -      ae  -  au  au  -  -
        ju  wu   nu      ru     -       -      -       -     -      je  -  ju  ju  -  -
        nl  wl   -       -      -       -      -       np    -      ne  nl  nl  nl  -  -
        wl  wl   nl      rl     -       -      -       wp    -      we  wl  wl  wl  -  -
        rl  wl   nl      -      al      jl     -       rp    -      re  rl  rl  rl  -  -
        al  wl   nl      -      -       jl     nl      ap    -      ae  al  al  al  -  -
        jl  wl   nl      rl     -       -      -       jp    -      je  jl  jl  jl  -  -
        np  wp   -       -      -       -      -       -     nl     ne  np  np  np  -  -
        wp  wp   np      rp     -       -      -       -     wl     we  wp  wp  wp  -  -
        rp  wp   np      -      ap      jp     -       -     rl     re  rp  rp  rp  -  -
        ap  wp   np      -      -       jp     np      -     al     ae  ap  ap  ap  -  -
        jp  wp   np      rp     -       -      -       -     jl     je  jp  jp  jp  -  -
        ne  -    -       -      -       -      -       -     -      -   -  -  ne  nv  -
        we  -    -       -      -       -      -       -     -      -   -  -  we  wv  -
        re  -    -       -      -       -      -       -     -      -   -  -  re  rv  -
        ae  -    -       -      -       -      -       -     -      -   -  -  ae  av  -
        je  -    -       -      -       -      -       -     -      -   -  -  je  jv  -
        nv  -    -       -      -       -      -       -     -      -   -  -  nv  -  ne
        wv  -    -       -      -       -      -       -     -      -   -  -  wv  -  we
        rv  -    -       -      -       -      -       -     -      -   -  -  rv  -  re
        av  -    -       -      -       -      -       -     -      -   -  -  av  -  ae
        jv  -    -       -      -       -      -       -     -      -   -  -  jv  -  je
        """

    private static let phases: [Character: CampaignPosition.Phase] = [
        "n": .none, "w": .writing, "r": .inReview, "a": .approved, "j": .rejected,
    ]
    private static let standings: [Character: CampaignStanding] = [
        "u": .unpublished, "l": .live, "p": .paused, "e": .ended, "v": .ended,
    ]

    private static func position(_ text: Substring) -> CampaignPosition? {
        text == "-" ? nil : CampaignPosition(phases[text.first!]!, standings[text.last!]!, isArchived: text.last == "v")
    }

    /// Every position with every step, and where it leads.
    private static func rows() -> [(from: CampaignPosition, step: CampaignStep, to: CampaignPosition?)] {
        let lines = table.split(separator: "\n").map { $0.split(separator: " ") }
        return lines.dropFirst().flatMap { line in
            zip(lines[0], line.dropFirst()).map {
                (position(line[0])!, CampaignStep(rawValue: String($0))!, position($1))
            }
        }
    }

    @Test("Each step leads from each position where the table says, or nowhere")
    func table() {
        let rows = Self.rows()
        #expect(Set(rows.map(\.from)).count == 25 && rows.count == 350)
        for row in rows { #expect(row.from.after(row.step) == row.to, "\(row.from), \(row.step)") }
    }

    private static let reviews: [CampaignPosition.Phase: CampaignReview] = [
        .inReview: CampaignReview(submitted: .sample()),
        .approved: CampaignReview(
            submitted: .sample(), ruling: CampaignReview.Ruling(isApproval: true, act: .sample(by: "approver"))),
        .rejected: CampaignReview(
            submitted: .sample(), ruling: CampaignReview.Ruling(isApproval: false, act: .sample(by: "approver"))),
    ]

    private func record(at position: CampaignPosition) -> CampaignRecord {
        let latest = position.standing == .unpublished ? 0 : 2
        return .sample(
            draft: position.phase == .none ? nil : .sample(basedOn: latest, review: Self.reviews[position.phase]),
            published: latest == 0 ? nil : .sample(latest), standing: position.standing, isArchived: position.isArchived)
    }

    private func change(_ step: CampaignStep) -> CampaignChange {
        switch step {
        case .save: .save([9])
        case .discard: .discard
        case .submit: .submit
        case .approve: .approve
        case .reject: .reject
        case .publish: .publish
        case .pause: .pause
        case .resume: .resume
        case .end: .end
        case .rollBack: .rollBack(.sample(1))
        case .setTesters: .setTesters([])
        case .note: .note
        case .archive: .archive
        case .unarchive: .unarchive
        }
    }

    @Test("A campaign is after a change where the table says, one version on, and else as it was")
    func changes() throws {
        for row in Self.rows() {
            let before = record(at: row.from)
            #expect(CampaignPosition(before) == row.from)
            let act = CampaignAct.sample(9, by: "somebody")
            func changed() throws(CampaignError) -> CampaignRecord {
                try before.stepped(change(row.step), by: act, areTwoPersons: !=)
            }
            guard let to = row.to else {
                #expect(throws: CampaignError.notNow(row.step, row.from)) { try changed() }
                continue
            }
            let after = try changed()
            #expect(CampaignPosition(after) == to, "\(row.from), \(row.step)")
            #expect(after.version == 2)
            #expect(
                (after.versions.draft == 2)
                    == (![.pause, .resume, .end, .setTesters, .note, .archive, .unarchive].contains(row.step)),
                "\(row.from), \(row.step)")
            let isElsewhere = to.standing != row.from.standing || to.isArchived != row.from.isArchived
            #expect((after.versions.standing == 2) == isElsewhere, "\(row.from), \(row.step)")
            #expect((after.status.change == act) == (to.standing != row.from.standing))
            #expect(after.latest == before.latest + ([.publish, .rollBack].contains(row.step) ? 1 : 0))
            // An id that a discarded draft has freed gets a new campaign.
            let isNew = row.step == .save && before.draft == nil && before.published == nil
            #expect(after.acts.created == (isNew ? act : before.acts.created), "\(row.from), \(row.step)")
        }
    }

    @Test("A refusal says what to do, whatever was wanted and wherever the campaign is")
    func words() {
        for row in Self.rows() where row.to == nil {
            #expect(CampaignError.notNow(row.step, row.from).description.count > 20, "\(row.from), \(row.step)")
        }
        #expect(CampaignError.notNow(.publish, CampaignPosition(.inReview, .live)).description.contains("in review"))
        #expect(CampaignError.notNow(.approve, CampaignPosition(.approved, .live)).description.contains("publish"))
        #expect(CampaignError.notNow(.pause, CampaignPosition(.none, .paused)).description.contains("is paused"))
        #expect(CampaignError.notNow(.archive, CampaignPosition(.none, .live)).description.contains("end it first"))
        #expect(CampaignError.notNow(.save, CampaignPosition(.none, .ended)).description.contains("make a new one"))
    }
}
