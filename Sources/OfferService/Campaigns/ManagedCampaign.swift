package import EligibilityRules
import OfferStore
import WireText

/// A campaign as people see it: where it is, its draft and what is published of it.
package struct ManagedCampaign: Sendable {
    /// That somebody did something about it.
    package struct Act: Equatable, Sendable {
        package let at: Instant
        /// An access key's id, or `command-line`.
        package let by: String
        /// In their words; may be empty.
        package let reason: String
    }

    /// What is to be published next.
    package struct Draft: Sendable {
        package let text: CampaignText
        /// The number of the revision that it was edited from; 0: none.
        package let basedOn: Int
        /// Everybody who wrote of it, the first first.
        package let authors: [String]
        package let saved: Act
        package let phase: CampaignPosition.Phase
        package let submitted: Act?
        /// That somebody else found it right, or wrong.
        package let ruled: Act?
    }

    /// What was published.
    package struct Revision: Sendable {
        /// 1 for the first.
        package let number: Int
        package let text: CampaignText
        package let authors: [String]
        package let approved: Act
        package let published: Act
        /// The number of the revision that it is a copy of.
        package let copyOf: Int?
    }

    package let name: CampaignName
    /// Another one with every change.
    package let version: Int64
    package let state: CampaignState
    package let position: CampaignPosition
    package let created: Act
    package let draft: Draft?
    package let published: Revision?
    /// Who brought it last to where it stands.
    package let stood: Act
    /// Who tries it out, whatever is published.
    package let testers: [CampaignTester]
    /// What was done last, in words without who and when, and that it was done.
    package let lastChange: (words: String, act: Act)

    init(_ record: CampaignRecord, at now: Instant) {
        name = CampaignName(record.id, of: record.bundleID)
        version = record.version
        position = CampaignPosition(record)
        created = Act(record.created)
        draft = record.draft.map { Draft($0, CampaignPosition(record).phase) }
        published = record.published.map(Revision.init)
        stood = Act(record.stood)
        testers = record.testers
        let words = CampaignStep(rawValue: record.step)?.words(revision: record.latest) ?? "changed it"
        lastChange = (words, Act(record.changed))
        state = CampaignState(position, published?.text.campaign?.schedule, at: now)
    }

    /// What the draft says, or what is published where there is no draft.
    package var text: CampaignText? { draft?.text ?? published?.text }
}

extension ManagedCampaign.Act {
    init(_ act: CampaignAct) { self.init(at: act.at, by: act.by, reason: act.reason) }
}

extension ManagedCampaign.Draft {
    init(_ draft: CampaignDraft, _ phase: CampaignPosition.Phase) {
        self.init(
            text: CampaignText(draft.document), basedOn: draft.basedOn, authors: draft.authors,
            saved: ManagedCampaign.Act(draft.saved), phase: phase,
            submitted: draft.review.map { ManagedCampaign.Act($0.submitted) },
            ruled: draft.review?.ruling.map { ManagedCampaign.Act($0.act) })
    }
}

extension ManagedCampaign.Revision {
    init(_ publication: CampaignPublication) {
        self.init(
            number: publication.number, text: CampaignText(publication.document), authors: publication.authors,
            approved: ManagedCampaign.Act(publication.approved), published: ManagedCampaign.Act(publication.published),
            copyOf: publication.copyOf)
    }
}
