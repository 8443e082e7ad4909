/// The revisions of a campaign that make up one experiment.
/// These are the latest, and those right before it with the same question and the same split.
public struct ExperimentRevisions: Sendable {
    /// The campaign as it was published last.
    public let campaign: Campaign
    /// The numbers of the revisions.
    public let numbers: ClosedRange<Int>
    /// The plan as it was settled before the first unit.
    public let plan: ExperimentPlan
    /// The campaign's variants in the order of the plan, the control first.
    public let variants: [CampaignVariant]

    /// The control is the first variant that offers nothing, or else the first variant.
    ///
    /// - Parameter publications: the latest first, without gaps.
    /// - Returns: nil if there is no revision, or no variant has a weight.
    public init?(_ publications: some Sequence<CampaignRevision>) {
        var alike: [CampaignRevision] = []
        for revision in publications {
            guard alike.last.map({ $0.campaign.asksTheSame(as: revision.campaign) }) ?? true else { break }
            alike.append(revision)
        }
        guard let latest = alike.first, let earliest = alike.last else { return nil }
        let given = latest.campaign.design.variants.filter { $0.weight > 0 }
        guard let control = given.first(where: \.isControl) ?? given.first else { return nil }
        let others = latest.campaign.design.variants.filter { $0.id != control.id }
        let goal = earliest.campaign.design.goal
        // Goals of later revisions may rest on results that were seen.
        let effect = goal.detect.flatMap { ChosenEffect(detect: $0, expected: goal.expected) }
        guard
            let plan = ExperimentPlan(
                weights: ([control] + others).map(\.weight), method: ExperimentMethod(earliest.campaign.design.analysis),
                effect: effect)
        else { return nil }
        campaign = latest.campaign
        numbers = min(earliest.number, latest.number)...latest.number
        variants = [control] + others
        self.plan = plan
    }

    /// Returns the index of a variant, or nil if the campaign does not have it.
    func place(of variant: String) -> Int? { variants.firstIndex { ExactText($0.id) == ExactText(variant) } }
}

extension Campaign {
    /// Whether what is counted for one can be counted for the other.
    fileprivate func asksTheSame(as other: Campaign) -> Bool {
        design.variants.map(\.withoutName) == other.design.variants.map(\.withoutName) && design.unit == other.design.unit
            && design.goal.metric == other.design.goal.metric
            && design.goal.window == other.design.goal.window
    }
}

extension ExperimentMethod {
    fileprivate init(_ analysis: CampaignAnalysis) {
        self =
            switch analysis {
            case .sequential: .sequential
            case .fixed(let units): .fixedHorizon(units: units)
            }
    }
}
