package import OfferStore

/// Where a campaign stands between its first draft and its end. The table in `after` alone defines which steps may follow.
package struct CampaignPosition: Hashable, Sendable {
    /// The phase of the draft.
    package enum Phase: String, CaseIterable, Sendable {
        /// There is no draft.
        case none
        /// The draft is being written.
        case writing
        /// The draft waits for a reviewer.
        case inReview = "in-review"
        /// The draft may be published.
        case approved
        /// The draft was rejected, and is being written again.
        case rejected
    }

    package let phase: Phase
    package let standing: CampaignStanding
    package let isArchived: Bool

    package init(_ phase: Phase, _ standing: CampaignStanding, isArchived: Bool = false) {
        self.phase = phase
        self.standing = standing
        self.isArchived = isArchived
    }

    /// The position of a campaign as it is now.
    package init(_ record: CampaignRecord) {
        let phase = record.draft.flatMap { Phase(rawValue: $0.phase) } ?? .none
        self.init(phase, record.status.standing, isArchived: record.status.isArchived)
    }

    /// Whether a revision is published, and the campaign is live or paused.
    package var isRunning: Bool { standing == .live || standing == .paused }

    /// Whether the campaign has ended for good.
    package var isEnded: Bool { standing == .ended }

    /// The position after a step; nil if the step cannot be taken from here.
    package func after(_ step: CampaignStep) -> CampaignPosition? {
        switch (step, phase, standing) {
        case (.note, _, _): self
        case (.archive, _, .ended): isArchived ? nil : CampaignPosition(phase, .ended, isArchived: true)
        case (.unarchive, _, .ended): isArchived ? CampaignPosition(phase, .ended) : nil
        case (_, _, .ended): nil
        case (.save, _, _): CampaignPosition(.writing, standing)
        case (.discard, .none, _): nil
        case (.discard, _, _): CampaignPosition(.none, standing)
        case (.submit, .writing, _), (.submit, .rejected, _): CampaignPosition(.inReview, standing)
        case (.approve, .inReview, _): CampaignPosition(.approved, standing)
        case (.reject, .inReview, _), (.reject, .approved, _): CampaignPosition(.rejected, standing)
        case (.publish, .approved, .paused): CampaignPosition(.none, .paused)
        case (.publish, .approved, _): CampaignPosition(.none, .live)
        case (.pause, _, .live): CampaignPosition(phase, .paused)
        case (.resume, _, .paused): CampaignPosition(phase, .live)
        case (.end, _, _): CampaignPosition(phase, .ended)
        case (.rollBack, _, .live), (.rollBack, _, .paused), (.setTesters, _, _): self
        default: nil
        }
    }
}
