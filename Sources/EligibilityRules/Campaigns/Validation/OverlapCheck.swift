/// Checks whether other campaigns address the same customers.
struct OverlapCheck {
    let catalogue: Catalogue
    let segments: Segments
    let others: [Campaign]

    /// Reports another campaign of the same exclusion group that has another unit.
    ///
    /// The record of which campaign has a customer is kept by unit, so that campaigns with different units would not see each
    /// other's customers.
    func checkUnits(_ campaign: Campaign, _ findings: inout [CampaignFinding]) {
        guard let group = campaign.slot.exclusionGroup.map(ExactText.init) else { return }
        let other = others.first {
            ExactText($0.id) != ExactText(campaign.id) && ExactText($0.bundleID) == ExactText(campaign.bundleID)
                && $0.slot.exclusionGroup.map(ExactText.init) == group && $0.design.unit != campaign.design.unit
                && $0.schedule.overlaps(campaign.schedule)
        }
        guard let other else { return }
        findings.append(
            CampaignFinding(
                "unit", .exclusionGroupUnit,
                "“\(other.name)” (`\(other.id)`) of the same exclusion group has the unit `\(other.design.unit.rawValue)`, so neither sees which customers the other has."
                    + " Give both the same unit, or use another group."))
    }

    /// Reports campaigns whose customers may be the same as those of the checked campaign.
    ///
    /// - Parameter audience: the compiled audience of the checked campaign; nil if it admits every customer.
    func check(_ campaign: Campaign, _ audience: CompiledCondition?, _ findings: inout [CampaignFinding]) {
        for other in others where ExactText(other.id) != ExactText(campaign.id) && meets(campaign, other) {
            var compiler = ConditionCompiler(segments: segments.with(other.segments))
            let theirs = other.audience.map { compiler.compile($0, at: "audience") }
            // A campaign whose audience has faults takes no customers.
            if let theirs, theirs == nil { continue }
            if let audience, let theirs = theirs ?? nil, audience.excludes(theirs) { continue }
            if let group = campaign.slot.exclusionGroup,
                other.slot.exclusionGroup.map({ ExactText($0) == ExactText(group) }) ?? false
            {
                order(campaign, audience, other, theirs ?? nil, &findings)
            } else if sharesGroup(campaign, other) {
                findings.append(
                    CampaignFinding(
                        "exclusionGroup", .exclusionGroupOverlap,
                        "Customers may fit this and “\(other.name)” (`\(other.id)`), which has offers for the same subscription. Put both into one"
                            + " exclusion group, or make the audiences differ.", severity: .warning))
            }
        }
    }

    private func order(
        _ campaign: Campaign,
        _ audience: CompiledCondition?,
        _ other: Campaign,
        _ theirs: CompiledCondition?,
        _ findings: inout [CampaignFinding]
    ) {
        if other.slot.priority == campaign.slot.priority {
            findings.append(
                CampaignFinding(
                    "priority", .samePriority,
                    "“\(other.name)” (`\(other.id)`) of the same exclusion group has the same priority, so their ids decide which comes first."
                        + " Give one a higher priority.", severity: .warning))
        }
        let comesFirst =
            other.slot.priority != campaign.slot.priority
            ? other.slot.priority > campaign.slot.priority : TextOrder.precedes(other.id, campaign.id)
        let takesAll =
            other.design.enrolment == Bucket.count && other.design.unit == campaign.design.unit
            && (theirs == nil || theirs == audience)
        if comesFirst, takesAll, other.limits == nil, spans(other, campaign) {
            findings.append(
                CampaignFinding(
                    "priority", .shadowed,
                    "“\(other.name)” (`\(other.id)`) of the same exclusion group comes first and takes all who fit, so no customer gets this."
                        + " Give this a higher priority, or make the audiences differ.", severity: .warning))
        }
    }

    /// Whether there is a time and a placement at which both campaigns decide.
    private func meets(_ campaign: Campaign, _ other: Campaign) -> Bool {
        guard ExactText(campaign.bundleID) == ExactText(other.bundleID), campaign.schedule.overlaps(other.schedule) else {
            return false
        }
        let isRetention = [campaign, other].map { $0.slot.placement.map(Campaign.isRetention) ?? false }
        guard isRetention[0] == isRetention[1] else { return false }
        guard let placement = campaign.slot.placement, let theirs = other.slot.placement else { return true }
        return ExactText(placement) == ExactText(theirs)
    }

    /// Whether `other` decides at all times and placements at which `campaign` decides.
    private func spans(_ other: Campaign, _ campaign: Campaign) -> Bool {
        let begins = (other.schedule.from?.milliseconds ?? .min) <= (campaign.schedule.from?.milliseconds ?? .min)
        let ends = (other.schedule.until?.milliseconds ?? .max) >= (campaign.schedule.until?.milliseconds ?? .max)
        return begins && ends && (other.slot.placement == nil || other.slot.placement == campaign.slot.placement)
    }

    private func sharesGroup(_ campaign: Campaign, _ other: Campaign) -> Bool {
        let groups = [campaign, other].map { campaign in
            let products = campaign.design.variants.flatMap { variant in
                variant.offers.map(\.productID) + [variant.introductoryOffer?.productID].compactMap(\.self)
            }
            return Set(products.compactMap { catalogue.product($0).map { ExactText($0.groupID) } })
        }
        return !groups[0].isDisjoint(with: groups[1])
    }
}
