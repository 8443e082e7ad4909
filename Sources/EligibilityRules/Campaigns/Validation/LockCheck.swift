/// A field of a campaign that cannot change once the campaign has begun.
///
/// A change of such a field would mix the results of two experiments, which cannot be separated afterwards.
public struct CampaignLock: Sendable {
    /// The path of the field in the campaign's document.
    public let path: String
    /// Why the field cannot change, worded to follow "The campaign runs, and".
    public let reason: String
    /// Whether another version of the campaign changes the field.
    let isChanged: @Sendable (_ running: Campaign, _ other: Campaign) -> Bool

    private init(_ path: String, _ reason: String, isChanged: @escaping @Sendable (Campaign, Campaign) -> Bool) {
        (self.path, self.reason, self.isChanged) = (path, reason, isChanged)
    }

    /// All locked fields.
    ///
    /// Two more locks have rules of their own in `LockCheck`: the end of the schedule cannot change once it has passed, and
    /// enrolment can rise but not fall.
    public static let all = [
        CampaignLock("placement", "customers were counted at its placement.") {
            !same($0.slot.placement, $1.slot.placement)
        },
        CampaignLock("schedule.from", "it has begun. Its end may still change.") { $0.schedule.from != $1.schedule.from },
        CampaignLock("exclusionGroup", "its group keeps its customers out of the other campaigns of the group.") {
            !same($0.slot.exclusionGroup, $1.slot.exclusionGroup)
        },
        CampaignLock("unit", "another unit would move customers to other variants.") { $0.design.unit != $1.design.unit },
        CampaignLock("holdout", "another share would move customers out of the holdout, or into it.") {
            $0.design.holdout != $1.design.holdout
        },
        CampaignLock("audience", "its result is about this audience.") { !$1.hasAudience(of: $0) },
        CampaignLock("variants", "other variants or weights move customers who have seen one already.") {
            $0.design.variants.map(\.withoutName) != $1.design.variants.map(\.withoutName)
        },
        CampaignLock("introductory", "its result is about customers who got the introductory offer under this rule.") {
            $0.design.givesIntroductoryOfferAgain != $1.design.givesIntroductoryOfferAgain
        },
        CampaignLock("goal", "a goal that is chosen after looking at the result proves nothing.") {
            $0.design.goal != $1.design.goal
        },
        CampaignLock(
            "analysis",
            "the time to read its result is set before the first customer; a later choice could favour a good day."
        ) { $0.design.analysis != $1.design.analysis },
    ]

    private static func same(_ left: String?, _ right: String?) -> Bool { left.map(ExactText.init) == right.map(ExactText.init) }
}

/// Checks that a new version of a campaign that has begun changes no locked field.
struct LockCheck {
    private static let remedy = "Leave it as it is, or end the campaign and start a copy of it."

    /// The campaign as it runs.
    let running: Campaign
    /// Whether its schedule has ended.
    let isOver: Bool

    /// Adds an error for each locked field that the new version changes.
    func check(_ campaign: Campaign, _ findings: inout [CampaignFinding]) {
        func refuse(_ path: String, _ what: String) {
            findings.append(CampaignFinding(path, .locked, "The campaign runs, and \(what) \(Self.remedy)"))
        }
        for lock in CampaignLock.all {
            if lock.isChanged(running, campaign) { refuse(lock.path, lock.reason) }
            if lock.path == "schedule.from", isOver, campaign.schedule.until != running.schedule.until {
                refuse("schedule.until", "its time is over: other campaigns may have its customers.")
            }
        }
        if campaign.design.enrolment < running.design.enrolment {
            findings.append(
                CampaignFinding(
                    "enrolment", .locked,
                    "The campaign has customers, and fewer would drop some of them. Keep the share or raise it, or end the campaign and start a copy of it."
                ))
        }
    }
}

extension Campaign {
    /// Whether both campaigns have the same audience, including the conditions of the segments that it names.
    ///
    /// Names and versions of the segments are not compared, because they decide nothing.
    fileprivate func hasAudience(of other: Campaign) -> Bool {
        audience == other.audience && segments.map(\.withoutName) == other.segments.map(\.withoutName)
    }
}

extension Segment {
    fileprivate var withoutName: Segment { Segment(id: id, name: "", condition: condition) }
}
