extension CompiledCampaigns {
    /// Evaluates every campaign for one customer and gives all reasons, together with the decision of `decide`.
    ///
    /// The reasons come from a second, slower evaluation of the campaigns as they were written. Customers receive what `decide`
    /// returns.
    public func explain(_ context: CampaignContext) -> CampaignEvaluation {
        var explanations: [CampaignExplanation] = []
        var takers: [ExactText: String] = context.holders.mapValues(\.string)
        for campaign in campaigns {
            let explanation = CampaignExplanation(campaign.revision, context, takers: takers, segments: segments)
            explanations.append(explanation)
            if case .passedOver = explanation.allocation { continue }
            if let group = campaign.revision.campaign.slot.exclusionGroup {
                takers[ExactText(group)] = campaign.revision.campaign.id
            }
        }
        return CampaignEvaluation(campaigns: explanations, decision: decide(context))
    }
}

extension CampaignExplanation {
    /// Evaluates one campaign for one customer.
    ///
    /// - Parameter takers: the id of the campaign that has taken the customer, by exclusion group.
    fileprivate init(
        _ revision: CampaignRevision,
        _ context: CampaignContext,
        takers: [ExactText: String],
        segments: Segments
    ) {
        let campaign = revision.campaign
        let unit = context.identity[campaign.design.unit].flatMap { $0.isEmpty ? nil : $0 }
        let tracer = ConditionTracer(
            segments: segments.with(campaign.segments), facts: context.facts, attributes: context.attributes)
        let audience = campaign.audience.map { tracer.trace($0, at: "audience") }
        var buckets: [Bucket.Purpose: Bucket] = [:]
        if let unit {
            for purpose in Bucket.Purpose.allCases {
                buckets[purpose] = Bucket(campaignID: campaign.id, purpose: purpose, unit: unit)
            }
        }
        var obstacles = campaign.obstacles(context, takers: takers)
        if unit == nil { obstacles.append(.noUnit) }
        if let audience, audience.truth != .yes { obstacles.append(.audience) }
        let isHeldOut = buckets[.holdout].map { $0.number < campaign.design.holdout } ?? false
        if !isHeldOut, let bucket = buckets[.enrol], bucket.number >= campaign.design.enrolment { obstacles.append(.notEnrolled) }
        self.revision = revision
        self.audience = audience
        self.unit = unit
        self.buckets = buckets
        self.obstacles = obstacles
        if let first = obstacles.first {
            allocation = .passedOver(first)
        } else {
            allocation =
                isHeldOut ? .heldOut : campaign.variant(at: buckets[.variant]!).map { .assigned($0) } ?? .passedOver(.notEnrolled)
        }
    }
}

extension Campaign {
    /// Returns the obstacles that depend on neither the audience nor the buckets.
    fileprivate func obstacles(_ context: CampaignContext, takers: [ExactText: String]) -> [CampaignObstacle] {
        var obstacles: [CampaignObstacle] = []
        let asksForRetention = context.placement.map(Campaign.isRetention) ?? false
        let isForRetention = slot.placement.map(Campaign.isRetention) ?? false
        let isElsewhere = context.placement.flatMap { asked in slot.placement.map { ExactText($0) != ExactText(asked) } } ?? false
        if asksForRetention != isForRetention || isElsewhere { obstacles.append(.placement) }
        if !design.isIn(context.scope) { obstacles.append(.promotionalOnly) }
        if schedule.isAhead(at: context.facts.asOf) { obstacles.append(.notStarted) }
        if schedule.isOver(at: context.facts.asOf) { obstacles.append(.ended) }
        if context.spentCampaigns.contains(ExactText(id)) { obstacles.append(.limitReached) }
        if let group = slot.exclusionGroup, let taker = takers[ExactText(group)], ExactText(taker) != ExactText(id) {
            obstacles.append(.exclusionGroup(takenBy: taker))
        }
        return obstacles
    }

    /// Returns the first variant whose cumulative weight exceeds the bucket.
    fileprivate func variant(at bucket: Bucket) -> Int? {
        var end = 0
        return design.variants.firstIndex { variant in
            end += variant.weight
            return bucket.number < end
        }
    }
}

/// All live campaigns evaluated for one customer.
public struct CampaignEvaluation: Sendable {
    /// The explanation of each campaign, in the order in which the campaigns decide.
    public let campaigns: [CampaignExplanation]
    /// The outcome of all campaigns together.
    public let decision: CampaignDecision
}
