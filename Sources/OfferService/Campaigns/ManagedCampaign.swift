package import EligibilityRules
import OfferStore
import WireText

/// A campaign as people see it: its position, its draft and its published revision.
package struct ManagedCampaign: Sendable {
    /// The text that is to be published next.
    package struct Draft: Sendable {
        package let text: CampaignText
        /// The number of the revision that the draft was edited from; 0 if there was none.
        package let basedOn: Int
        /// The authors, in the order of their first contribution.
        package let authors: [String]
        package let saved: CampaignAct
        package let phase: CampaignPosition.Phase
        package let submitted: CampaignAct?
        /// The approval or rejection by the approver; nil if there was neither.
        package let ruled: CampaignAct?
    }

    /// A published revision.
    package struct Revision: Sendable {
        /// The number of the revision. The first one has number 1.
        package let number: Int
        package let text: CampaignText
        package let authors: [String]
        package let approved: CampaignAct
        package let published: CampaignAct
        /// The number of the earlier revision that this one is a copy of; nil if it is no copy.
        package let copyOf: Int?
    }

    package let name: CampaignName
    /// A number that grows with every change of the campaign.
    package let version: Int64
    package private(set) var state: CampaignState
    package let position: CampaignPosition
    package let created: CampaignAct
    package let draft: Draft?
    package let published: Revision?
    /// The act that last changed the campaign's standing.
    package let standingChange: CampaignAct
    /// Whether the campaign is archived, so that lists leave it out.
    package let isArchived: Bool
    /// The testers. They meet the campaign even before it is published.
    package let testers: [CampaignTester]
    /// The last change: its act, and what was done, in words that name neither the actor nor the time.
    package let lastChange: (words: String, act: CampaignAct)

    init(_ record: CampaignRecord, at now: Instant) {
        name = CampaignName(record.id, of: record.bundleID)
        version = record.version
        position = CampaignPosition(record)
        created = record.acts.created
        draft = record.draft.map { Draft($0, CampaignPosition(record).phase) }
        published = record.published.map(Revision.init)
        standingChange = record.status.change
        isArchived = record.status.isArchived
        testers = record.testers
        let words = CampaignStep(rawValue: record.acts.step)?.words(revision: record.latest) ?? "changed it"
        lastChange = (words, record.acts.changed)
        state = CampaignState(position, published?.text.campaign?.schedule, at: now)
    }

    /// Returns the campaign with its state at another instant.
    func at(_ now: Instant) -> ManagedCampaign {
        var copy = self
        copy.state = CampaignState(position, published?.text.campaign?.schedule, at: now)
        return copy
    }

    /// The name for people.
    ///
    /// It is the name in the published revision, because a draft does not change that name before it is published. Without a
    /// published revision it is the draft's name, and if no name can be read, the id.
    package var title: String {
        switch (published?.text ?? text)?.json.member("name") {
        case .string(let name)?, .number(let name)?: name.isEmpty ? self.name.id : name
        default: self.name.id
        }
    }

    /// The actor who wrote the first draft.
    package var owner: String { created.by }

    /// Since when the campaign has its standing. A campaign that its schedule has ended has ended then, even if a person ends it later.
    package var standsSince: Instant {
        guard state == .ended, let until = published?.text.campaign?.schedule.until else { return standingChange.at }
        return position.isEnded ? min(standingChange.at, until) : until
    }

    /// The text of the draft, or of the published revision if there is no draft.
    package var text: CampaignText? { draft?.text ?? published?.text }
}

extension CampaignActivity {
    /// The step in words that follow the name of the actor, such as "saved a draft".
    package var words: String { CampaignStep(rawValue: step)?.words(revision: revision) ?? "wrote the first draft" }
}

extension ManagedCampaign.Draft {
    init(_ draft: CampaignDraft, _ phase: CampaignPosition.Phase) {
        self.init(
            text: CampaignText(draft.document), basedOn: draft.basedOn, authors: draft.authors,
            saved: draft.saved, phase: phase,
            submitted: draft.review?.submitted,
            ruled: draft.review?.ruling?.act)
    }
}

extension ManagedCampaign.Revision {
    init(_ publication: CampaignPublication) {
        self.init(
            number: publication.number, text: CampaignText(publication.document), authors: publication.authors,
            approved: publication.approved, published: publication.published,
            copyOf: publication.copyOf)
    }
}

/// The state of a campaign in one word.
package enum CampaignState: String, CaseIterable, Sendable {
    /// Nothing is published, and no draft is in review.
    case draft
    /// Nothing is published, and the draft is in review or approved.
    case inReview = "in-review"
    /// Published, but its schedule has not begun.
    case scheduled
    case live
    case paused
    /// Ended by a step, or because its schedule is over.
    case ended

    init(_ position: CampaignPosition, _ schedule: CampaignSchedule?, at now: Instant) {
        let isOver = schedule?.isOver(at: now) == true
        self =
            switch (position.standing, position.phase) {
            case (.unpublished, .inReview), (.unpublished, .approved): .inReview
            case (.unpublished, _): .draft
            case (.ended, _): .ended
            case (_, _) where isOver: .ended
            case (.paused, _): .paused
            case (.live, _): schedule?.isAhead(at: now) == true ? .scheduled : .live
            }
    }
}
