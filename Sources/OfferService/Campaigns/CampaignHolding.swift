import EligibilityRules
import OfferStore

/// The campaigns of exclusion groups that hold the units of one request.
///
/// A campaign that has taken a unit holds the unit until the campaign is over, even if the unit leaves its audience.
/// Otherwise the unit would be in two experiments, and the result of each would depend on the other.
/// The store decides about holds in the transaction that writes the exposure. If it finds that another campaign holds the unit,
/// the request is decided again.
struct CampaignHolding {
    private let campaigns: AppCampaigns
    private let identity: BucketingIdentity
    private let partition: AppPartition
    private let now: Instant
    /// For each exclusion group, the campaign that holds the customer's unit.
    private(set) var holders: [ExactText: ExactText] = [:]
    /// For each exclusion group, the campaign that held the unit but is over, so that another campaign may replace it.
    private var replaced: [ExactText: String] = [:]

    /// - Parameter findings: what the store has found in earlier attempts; of several findings about a group the last one counts.
    init(
        _ campaigns: AppCampaigns,
        _ identity: BucketingIdentity,
        _ partition: AppPartition,
        at now: Instant,
        _ findings: [LimitFinding]
    ) {
        self.campaigns = campaigns
        self.identity = identity
        self.partition = partition
        self.now = now
        for finding in findings {
            guard case .held(let hold) = finding.reason else { continue }
            let (group, holder) = (ExactText(hold.group), ExactText(hold.campaign))
            if campaigns.isHolding(holder, at: now) {
                (holders[group], replaced[group]) = (holder, nil)
                campaigns.holds.note(holder, of: hold.unit, hold.unitKind, in: hold.group, partition)
            } else {
                (holders[group], replaced[group]) = (nil, hold.campaign)
            }
        }
    }

    /// Adds the known holders of the units that a decision would take. Returns whether another campaign holds any of them.
    mutating func look(at decision: CampaignDecision) -> Bool {
        var isAnother = false
        for assignment in decision.assignments {
            guard let group = group(of: assignment), let unit = identity[assignment.revision.campaign.design.unit] else {
                continue
            }
            guard replaced[ExactText(group)] == nil,
                let holder = campaigns.holds.holder(of: unit, assignment.revision.campaign.design.unit, in: group, partition),
                holder != ExactText(assignment.campaignID), campaigns.isHolding(holder, at: now)
            else { continue }
            holders[ExactText(group)] = holder
            isAnother = true
        }
        return isAnother
    }

    /// The exclusion group in which a campaign holds the unit that it takes; nil if it holds none.
    func group(of assignment: CampaignAssignment) -> String? {
        assignment.rehearsal == nil ? assignment.revision.campaign.slot.exclusionGroup : nil
    }

    /// The hold that the campaign gets on the unit that it takes; nil if the campaign is in no group.
    func hold(of assignment: CampaignAssignment) -> ExposureHold? {
        group(of: assignment).map {
            ExposureHold(group: $0, replacing: replaced.isEmpty ? nil : replaced[ExactText($0)])
        }
    }
}
