/// A published campaign, ready to choose the variant of a customer who has passed its `CampaignGate`.
///
/// It is a class because decisions pass it on, and passing on an object costs only one reference count.
final class CompiledCampaign: Sendable {
    let revision: CampaignRevision
    private let unit: BucketingUnit
    private let exclusionGroup: ExactText?
    let id: ExactText
    /// In basis points.
    private let holdout: Int
    /// In basis points.
    private let enrolment: Int
    /// The first bucket after those of each variant.
    private let ends: [Int]
    private let holdoutKey: Murmur3Prefix
    private let enrolKey: Murmur3Prefix
    private let variantKey: Murmur3Prefix
    private let scopes: [CampaignScope]

    init(_ revision: CampaignRevision) {
        let campaign = revision.campaign
        self.revision = revision
        unit = campaign.design.unit
        exclusionGroup = campaign.slot.exclusionGroup.map(ExactText.init)
        id = ExactText(campaign.id)
        holdout = campaign.design.holdout
        enrolment = campaign.design.enrolment
        var end = 0
        ends = campaign.design.variants.map { variant in
            end += variant.weight
            return end
        }
        holdoutKey = Murmur3Prefix("\(campaign.id):\(Bucket.Purpose.holdout.rawValue):")
        enrolKey = Murmur3Prefix("\(campaign.id):\(Bucket.Purpose.enrol.rawValue):")
        variantKey = Murmur3Prefix("\(campaign.id):\(Bucket.Purpose.variant.rawValue):")
        scopes = CampaignScope.allCases.filter(campaign.design.isIn)
    }

    /// Returns the holdout or the variant of a customer who has passed the gate; nil if the campaign does not take the customer.
    ///
    /// - Parameter earlier: the assignments by campaigns that have decided before this one.
    func allocation(_ context: borrowing CampaignContext, after earlier: [CampaignAssignment]) -> CampaignAllocation? {
        if !isIn(context.scope) { return nil }
        if !context.spentCampaigns.isEmpty, context.spentCampaigns.contains(id) { return nil }
        if isTaken(context.holders, earlier) { return nil }
        guard let unit = context.identity[unit], !unit.isEmpty else { return nil }
        let allocation = allocation(ofUnit: unit)
        if case .passedOver = allocation { return nil }
        return allocation
    }

    /// Returns what the buckets of a unit decide: first the holdout, then the enrolment, then the variant.
    func allocation(ofUnit unit: String) -> CampaignAllocation {
        if holdout > 0, Bucket(hash: holdoutKey.hash(appending: unit)).number < holdout { return .heldOut }
        if enrolment < Bucket.count, Bucket(hash: enrolKey.hash(appending: unit)).number >= enrolment {
            return .passedOver(.notEnrolled)
        }
        let bucket = Bucket(hash: variantKey.hash(appending: unit)).number
        for index in ends.indices where bucket < ends[index] { return .assigned(index) }
        return .passedOver(.notEnrolled)
    }

    /// Whether the campaign is among those that decide in a scope.
    func isIn(_ scope: CampaignScope) -> Bool { scope == .all || scopes.contains(scope) }

    /// Returns the index of a variant, or nil if there is none of this id.
    func variant(_ id: String) -> Int? { revision.campaign.design.variants.firstIndex { ExactText($0.id) == ExactText(id) } }

    /// Whether another campaign of the same exclusion group has taken the customer.
    private func isTaken(_ holders: [ExactText: ExactText], _ earlier: [CampaignAssignment]) -> Bool {
        guard let exclusionGroup else { return false }
        if !holders.isEmpty, let holder = holders[exclusionGroup], holder != id { return true }
        return earlier.contains { assignment in
            assignment.revision.campaign.slot.exclusionGroup.map { ExactText($0) == exclusionGroup } ?? false
        }
    }
}
