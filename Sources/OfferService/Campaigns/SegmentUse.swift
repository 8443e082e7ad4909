package import EligibilityRules

/// A campaign that has a copy of a segment, in its draft or as it is published.
package struct SegmentUse: Sendable {
    package let campaign: ManagedCampaign
    /// The copy.
    package let copy: Segment
    /// Whether the copy is the draft's.
    package let isDraft: Bool
    /// Whether the campaign has begun, so that its audience stays as it is.
    package let isFixed: Bool

    /// The uses of a segment in campaigns that have not ended: first as published, then in drafts.
    package static func all(of id: String, in campaigns: [ManagedCampaign], at now: Instant) -> [SegmentUse] {
        campaigns.filter { !$0.position.isEnded }.flatMap { campaign -> [SegmentUse] in
            let texts = [(campaign.published?.text, false), (campaign.draft?.text, true)]
            return texts.compactMap { text, isDraft in
                let copy = text?.legible?.segments.first { ExactText($0.id) == ExactText(id) }
                return copy.map {
                    SegmentUse(campaign: campaign, copy: $0, isDraft: isDraft, isFixed: campaign.hasBegun(at: now))
                }
            }
        }
    }

    /// Whether the copy selects the same customers as the segment does now. Segments that both name are not compared.
    package func isCurrent(_ segment: Segment) -> Bool { copy.condition == segment.condition }

    /// Whether a draft of the campaign can take over the segment as it is now.
    package func mayFollow(_ segment: Segment) -> Bool {
        !isFixed && !isCurrent(segment) && isDraft == (campaign.draft != nil)
    }
}

extension ManagedCampaign {
    /// Whether its published revision has begun, so that its audience stays as it is.
    package func hasBegun(at now: Instant) -> Bool {
        position.isRunning && published?.text.campaign?.schedule.isAhead(at: now) == false
    }
}
