import EligibilityRules
import OfferStore

/// Who is held by a campaign of an exclusion group, as far as one request goes.
///
/// A campaign that has taken a unit holds it until it is over, whatever becomes of its audience: else the unit would be in two tests,
/// and the results of both would be about the other one as well. The store decides in the transaction of the exposure; where it finds
/// another holder, the request is decided again.
struct CampaignHolding {
    private let campaigns: AppCampaigns
    private let identity: BucketingIdentity
    private let partition: AppPartition
    private let now: Instant
    /// By exclusion group.
    private(set) var holders: [ExactText: ExactText] = [:]
    /// Those that are over and make room, by exclusion group.
    private var replaced: [ExactText: String] = [:]

    /// - Parameter findings: what the store has found so far; of a group the last counts.
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

    /// Takes in what is known of the holders of those whom a decision would take. Returns whether any of it is somebody else's.
    mutating func look(at decision: CampaignDecision) -> Bool {
        var isAnother = false
        for assignment in decision.assignments {
            guard let group = group(of: assignment), let unit = identity[assignment.revision.campaign.unit] else { continue }
            guard replaced[ExactText(group)] == nil,
                let holder = campaigns.holds.holder(of: unit, assignment.revision.campaign.unit, in: group, partition),
                holder != ExactText(assignment.campaignID), campaigns.isHolding(holder, at: now)
            else { continue }
            holders[ExactText(group)] = holder
            isAnother = true
        }
        return isAnother
    }

    /// The group in which a campaign is to hold whom it takes; nil: in none.
    func group(of assignment: CampaignAssignment) -> String? {
        assignment.rehearsal == nil ? assignment.revision.campaign.exclusionGroup : nil
    }

    /// The campaign that makes room for one that takes the unit.
    func replaced(by assignment: CampaignAssignment) -> String? {
        replaced.isEmpty ? nil : group(of: assignment).flatMap { replaced[ExactText($0)] }
    }
}
