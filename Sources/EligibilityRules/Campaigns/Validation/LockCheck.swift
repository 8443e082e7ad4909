/// Checks that a campaign that has begun keeps its design. Some changes would mix two tests that cannot be separated afterwards.
struct LockCheck {
    /// The campaign as it runs.
    let running: Campaign
    /// Whether its schedule has ended.
    let isOver: Bool

    /// Adds a finding for each locked field that another version changes.
    func check(_ campaign: Campaign, _ findings: inout [CampaignFinding]) {
        func refuse(_ path: String, _ isChanged: Bool, _ what: String) {
            guard isChanged else { return }
            findings.append(CampaignFinding(path, .locked, "The campaign runs, and \(what) \(Self.remedy)"))
        }
        let isFromChanged = campaign.schedule.from != running.schedule.from
        refuse(
            "placement", !Self.same(campaign.slot.placement, running.slot.placement), "customers were counted at its placement.")
        refuse("schedule.from", isFromChanged, "it has begun. Its end may still change.")
        refuse(
            "schedule.until", isOver && campaign.schedule.until != running.schedule.until,
            "its time is over: other campaigns may have its customers.")
        refuse(
            "exclusionGroup", !Self.same(campaign.slot.exclusionGroup, running.slot.exclusionGroup),
            "its group keeps its customers out of the other campaigns of the group.")
        refuse("unit", campaign.design.unit != running.design.unit, "another unit would move customers to other variants.")
        refuse(
            "holdout", campaign.design.holdout != running.design.holdout,
            "another share would move customers out of the holdout, or into it.")
        refuse("audience", !campaign.hasAudience(of: running), "its result is about this audience.")
        refuse(
            "variants", campaign.design.variants.map(\.withoutName) != running.design.variants.map(\.withoutName),
            "other variants or weights move customers who have seen one already.")
        refuse(
            "goal", campaign.design.goal != running.design.goal,
            "a goal that is chosen after looking at the result proves nothing.")
        refuse(
            "analysis", campaign.design.analysis != running.design.analysis,
            "the time to read its result is set before the first customer; a later choice could favour a good day.")
        if campaign.design.enrolment < running.design.enrolment {
            findings.append(
                CampaignFinding(
                    "enrolment", .locked,
                    "The campaign has customers, and fewer would drop some of them. Keep the share or raise it, or end the campaign and start a copy of it."
                ))
        }
    }

    private static let remedy = "Leave it as it is, or end the campaign and start a copy of it."

    private static func same(_ left: String?, _ right: String?) -> Bool { left.map(ExactText.init) == right.map(ExactText.init) }
}

extension Campaign {
    /// Whether the audience is the same, the segments that it names included. Their names and versions decide nothing.
    fileprivate func hasAudience(of other: Campaign) -> Bool {
        audience == other.audience && segments.map(\.withoutName) == other.segments.map(\.withoutName)
    }
}

extension Segment {
    fileprivate var withoutName: Segment { Segment(id: id, name: "", condition: condition) }
}
