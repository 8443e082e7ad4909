package import EligibilityRules
import OfferStore
import WireText

/// A campaign as people see it: its position, its draft and its published revision.
package struct ManagedCampaign: Sendable {
    /// An act of a person on a campaign.
    package struct Act: Equatable, Sendable {
        package let at: Instant
        /// An access key's id, or `command-line`.
        package let by: String
        /// The reason in the actor's words; may be empty.
        package let reason: String
    }

    /// The text that is to be published next.
    package struct Draft: Sendable {
        package let text: CampaignText
        /// The number of the revision that it was edited from; 0: none.
        package let basedOn: Int
        /// The authors, in the order of their first contribution.
        package let authors: [String]
        package let saved: Act
        package let phase: CampaignPosition.Phase
        package let submitted: Act?
        /// The approval or the rejection.
        package let ruled: Act?
    }

    /// A published revision.
    package struct Revision: Sendable {
        /// 1 for the first.
        package let number: Int
        package let text: CampaignText
        package let authors: [String]
        package let approved: Act
        package let published: Act
        /// The number of the revision that it is a copy of; nil: none.
        package let copyOf: Int?
    }

    /// A step that was taken, or a note.
    package struct Activity: Equatable, Sendable {
        /// From 1.
        package let number: Int64
        /// `create`, or the step's name.
        package let step: String
        /// The step in words, to follow the name of the actor.
        package let words: String
        package let act: Act
        /// The number of the revision that it concerns; of a draft, the number that it would be published as. 0: none.
        package let revision: Int
    }

    package let name: CampaignName
    /// Changes with every change of the campaign.
    package let version: Int64
    package let state: CampaignState
    package let position: CampaignPosition
    package let created: Act
    package let draft: Draft?
    package let published: Revision?
    /// The act that last changed its standing.
    package let standingChange: Act
    /// Whether lists leave it out.
    package let isArchived: Bool
    /// The testers, who try it whatever is published.
    package let testers: [CampaignTester]
    /// The last change, in words that name neither the actor nor the time, and its act.
    package let lastChange: (words: String, act: Act)

    init(_ record: CampaignRecord, at now: Instant) {
        name = CampaignName(record.id, of: record.bundleID)
        version = record.version
        position = CampaignPosition(record)
        created = Act(record.acts.created)
        draft = record.draft.map { Draft($0, CampaignPosition(record).phase) }
        published = record.published.map(Revision.init)
        standingChange = Act(record.status.change)
        isArchived = record.status.isArchived
        testers = record.testers
        let words = CampaignStep(rawValue: record.acts.step)?.words(revision: record.latest) ?? "changed it"
        lastChange = (words, Act(record.acts.changed))
        state = CampaignState(position, published?.text.campaign?.schedule, at: now)
    }

    /// The actor who wrote it first.
    package var owner: String { created.by }

    /// The text of the draft, or of the published revision if there is no draft.
    package var text: CampaignText? { draft?.text ?? published?.text }
}

extension ManagedCampaign.Act {
    init(_ act: CampaignAct) { self.init(at: act.at, by: act.by, reason: act.reason) }
}

extension ManagedCampaign.Activity {
    init(_ entry: CampaignActivity) {
        let words = CampaignStep(rawValue: entry.step)?.words(revision: entry.revision)
        self.init(
            number: entry.number, step: entry.step, words: words ?? "wrote the first draft",
            act: ManagedCampaign.Act(entry.act), revision: entry.revision)
    }
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

/// The state of a campaign in one word.
package enum CampaignState: String, CaseIterable, Sendable {
    /// Nothing is published, and no draft is in review.
    case draft
    /// Nothing is published, and the draft is in review or approved.
    case inReview = "in-review"
    /// Published, but its time has not come.
    case scheduled
    case live
    case paused
    /// Ended by a step, or its time is over.
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
