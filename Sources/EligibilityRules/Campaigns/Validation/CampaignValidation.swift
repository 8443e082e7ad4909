/// Checks campaigns and segments before they are published.
public struct CampaignValidation: Sendable {
    /// What the app sells.
    public let catalogue: Catalogue
    /// The app's segments.
    public let segments: Segments
    /// Other campaigns that are published or will be.
    ///
    /// A campaign with the same id as the checked one is ignored.
    public let others: [Campaign]
    /// The published version of the checked campaign; nil if it is not published, or has ended.
    public let published: Campaign?
    /// The time of the check.
    public let now: Instant

    /// Stores the given values without checking them.
    public init(
        catalogue: Catalogue,
        segments: Segments,
        others: [Campaign] = [],
        published: Campaign? = nil,
        now: Instant
    ) {
        self.published = published
        self.catalogue = catalogue
        self.segments = segments
        self.others = others
        self.now = now
    }

    /// Returns the findings about a campaign, in the order of its fields.
    ///
    /// A campaign without errors can be published.
    public func findings(_ campaign: Campaign) -> [CampaignFinding] {
        var findings: [CampaignFinding] = []
        CampaignNames.check(campaign, &findings)
        if let published, !published.schedule.isAhead(at: now) {
            LockCheck(running: published, isOver: published.schedule.isOver(at: now)).check(campaign, &findings)
        }
        schedule(campaign.schedule, &findings)
        CampaignShares.check(campaign, &findings)
        reach(campaign, &findings)
        let audience = audience(campaign, &findings)
        VariantCheck(catalogue: catalogue).check(campaign, audience: audience, &findings)
        findings += GoalCheck(campaign.design).findings
        analysis(campaign, &findings)
        let overlaps = OverlapCheck(catalogue: catalogue, segments: segments, others: others)
        overlaps.checkUnits(campaign, &findings)
        // An audience with faults is not compiled, and then cannot be compared with others.
        if campaign.audience == nil || audience != nil {
            overlaps.check(campaign, audience, &findings)
        }
        return findings
    }

    /// Returns the findings about a segment.
    ///
    /// If other segments refer to it, they are checked with this version of it.
    public func findings(_ segment: Segment) -> [CampaignFinding] {
        var findings: [CampaignFinding] = []
        CampaignNames.check(id: segment.id, at: "id", &findings)
        CampaignNames.check(name: segment.name, at: "name", &findings)
        let segments = segments.with(segment)
        var compiler = ConditionCompiler(segments: segments, within: segment.id)
        let compiled = compiler.compile(segment.condition, at: "condition")
        findings += compiler.findings
        if compiled != nil {
            ConditionCheck(catalogue: catalogue, segments: segments).check(segment.condition, at: "condition", &findings)
        }
        return findings
    }

    private func schedule(_ schedule: CampaignSchedule, _ findings: inout [CampaignFinding]) {
        if let from = schedule.from, let until = schedule.until, until <= from {
            findings.append(
                CampaignFinding(
                    "schedule.until", .emptySchedule, "It ends before it starts. Give an end that is later than the start."))
        } else if schedule.isOver(at: now) {
            findings.append(
                CampaignFinding(
                    "schedule.until", .pastSchedule, "The end is in the past, so it would never run. Give a later end."))
        }
    }

    private func reach(_ campaign: Campaign, _ findings: inout [CampaignFinding]) {
        if campaign.design.enrolment == 0 {
            findings.append(
                CampaignFinding(
                    "enrolment", .nobodyAdmitted, "0 % are let in, so no customer gets it. Raise the share to begin.",
                    severity: .warning))
        }
        if campaign.design.holdout == Bucket.count {
            findings.append(
                CampaignFinding(
                    "holdout", .nobodyAdmitted, "100 % are held out, so no customer gets it. Lower the share.", severity: .warning
                ))
        }
        guard let limits = campaign.limits else { return }
        for (value, path) in [(limits.perCustomer, "limits.perCustomer"), (limits.total, "limits.total")] {
            guard let value, value < 1 else { continue }
            findings.append(
                CampaignFinding(path, .invalidLimit, "With \(value) no customer gets an offer. Give 1 or more, or leave it out."))
        }
        if limits.per != nil, limits.perCustomer == nil {
            findings.append(
                CampaignFinding(
                    "limits.per", .invalidLimit, "It needs `perCustomer`, which is missing. Give both."))
        }
    }

    private func audience(_ campaign: Campaign, _ findings: inout [CampaignFinding]) -> CompiledCondition? {
        guard let audience = campaign.audience else { return nil }
        let segments = segments.with(campaign.segments)
        var compiler = ConditionCompiler(segments: segments)
        let compiled = compiler.compile(audience, at: "audience")
        findings += compiler.findings
        if compiled != nil {
            ConditionCheck(catalogue: catalogue, segments: segments).check(audience, at: "audience", &findings)
        }
        return compiled
    }

    private func analysis(_ campaign: Campaign, _ findings: inout [CampaignFinding]) {
        guard case .fixed(let units) = campaign.design.analysis else { return }
        // With so many units in all, the smallest variant gets the number of units that a verdict needs.
        let smallest = max(1, campaign.design.variants.map(\.weight).filter { $0 > 0 }.min() ?? Bucket.count)
        let least = (CampaignAnalysis.minimumUnits * Bucket.count + smallest - 1) / smallest
        guard !(least...CampaignAnalysis.maxUnits).contains(units) else { return }
        let message =
            units < least
            ? "\(units) customers are too few: a verdict needs \(CampaignAnalysis.minimumUnits) for each variant."
                + " Give \(least) or more."
            : "\(units) customers are too many. Give \(CampaignAnalysis.maxUnits) at most."
        findings.append(CampaignFinding("analysis.sampleSize", .invalidSampleSize, message))
    }
}
