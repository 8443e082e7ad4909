/// A published campaign, ready to decide. A class: decisions pass it around.
final class CompiledCampaign: Sendable {
    let revision: CampaignRevision
    private let schedule: CampaignSchedule
    private let unit: BucketingUnit
    private let placement: ExactText?
    private let isForRetention: Bool
    private let exclusionGroup: ExactText?
    let id: ExactText
    /// Nil: everybody fits.
    private let audience: AudienceProgram?
    /// Basis points.
    private let holdout: Int
    /// Basis points.
    private let enrolment: Int
    /// Of each variant the first bucket that is not its own any more.
    private let ends: [Int]
    private let holdoutKey: Murmur3Prefix
    private let enrolKey: Murmur3Prefix
    private let variantKey: Murmur3Prefix

    /// - Parameter audience: the campaign's, read.
    init(_ revision: CampaignRevision, audience: AudienceProgram?) {
        let campaign = revision.campaign
        self.revision = revision
        self.audience = audience
        schedule = campaign.schedule
        unit = campaign.unit
        placement = campaign.placement.map(ExactText.init)
        isForRetention = campaign.placement.map(Campaign.isRetention) ?? false
        exclusionGroup = campaign.exclusionGroup.map(ExactText.init)
        id = ExactText(campaign.id)
        holdout = campaign.holdout
        enrolment = campaign.enrolment
        var end = 0
        ends = campaign.variants.map { variant in
            end += variant.weight
            return end
        }
        holdoutKey = Murmur3Prefix("\(campaign.id):\(Bucket.Purpose.holdout.rawValue):")
        enrolKey = Murmur3Prefix("\(campaign.id):\(Bucket.Purpose.enrol.rawValue):")
        variantKey = Murmur3Prefix("\(campaign.id):\(Bucket.Purpose.variant.rawValue):")
    }

    /// Whether what others come to decides about it, too.
    var isExclusive: Bool { exclusionGroup != nil }

    /// What it comes to.
    ///
    /// - Parameters:
    ///   - results: of the tests, for the same customer.
    ///   - earlier: what campaigns that come first have come to; of one that is not exclusive nobody looks at it.
    func verdict(
        _ context: borrowing CampaignContext,
        _ results: borrowing TestResults,
        after earlier: [CampaignAssignment]
    ) -> CampaignVerdict {
        guard isFor(context.placement) else { return .passedOver(.placement) }
        let now = context.facts.asOf
        if schedule.isAhead(at: now) { return .passedOver(.notStarted) }
        if schedule.isOver(at: now) { return .passedOver(.ended) }
        if !context.spentCampaigns.isEmpty, context.spentCampaigns.contains(id) { return .passedOver(.limitReached) }
        if let taker = taker(context.holders, earlier) { return .passedOver(.exclusionGroup(takenBy: taker)) }
        guard let unit = context.identity[unit], !unit.isEmpty else { return .passedOver(.noUnit) }
        guard hasInAudience(results, context) else { return .passedOver(.audience) }
        return verdict(ofUnit: unit)
    }

    /// What it comes to for whoever fits.
    func verdict(ofUnit unit: String) -> CampaignVerdict {
        if holdout > 0, Bucket(hash: holdoutKey.hash(appending: unit)).number < holdout { return .heldOut }
        if enrolment < Bucket.count, Bucket(hash: enrolKey.hash(appending: unit)).number >= enrolment {
            return .passedOver(.notEnrolled)
        }
        let bucket = Bucket(hash: variantKey.hash(appending: unit)).number
        for index in ends.indices where bucket < ends[index] { return .assigned(index) }
        return .passedOver(.notEnrolled)
    }

    /// Whether it decides there. The App Store's questions are answered by campaigns for them only, and these are for nothing else.
    ///
    /// - Parameter asked: a placement; nil where nobody says any.
    func isFor(_ asked: String?) -> Bool {
        guard let asked else { return !isForRetention }
        if let placement { return placement == ExactText(asked) }
        return !Campaign.isRetention(asked)
    }

    /// The place of a variant; nil if there is none of this id.
    func variant(_ id: String) -> Int? { revision.campaign.variants.firstIndex { ExactText($0.id) == ExactText(id) } }

    /// Whether the audience's condition holds.
    func hasInAudience(_ results: borrowing TestResults, _ context: borrowing CampaignContext) -> Bool {
        guard let audience else { return true }
        return audience.truth(results, for: context) == .yes
    }

    private func taker(_ holders: [ExactText: ExactText], _ earlier: [CampaignAssignment]) -> String? {
        guard let exclusionGroup else { return nil }
        if !holders.isEmpty, let holder = holders[exclusionGroup], holder != id { return holder.string }
        for assignment in earlier {
            if let group = assignment.revision.campaign.exclusionGroup, ExactText(group) == exclusionGroup {
                return assignment.campaignID
            }
        }
        return nil
    }
}
