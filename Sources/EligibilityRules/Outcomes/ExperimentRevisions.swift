/// The revisions of a campaign that make up one experiment.
///
/// These are the latest revision, and those right before it with the same variants, weights, unit, metric (with its currency and cap)
/// and window.
public struct ExperimentRevisions: Sendable {
    /// The campaign in its latest revision.
    public let campaign: Campaign
    /// The numbers of the revisions that make up the experiment.
    public let numbers: ClosedRange<Int>
    /// The plan, which was settled before the first unit.
    public let plan: ExperimentPlan
    /// The campaign's variants in the order of the plan, the control first.
    public let variants: [CampaignVariant]

    /// Finds the revisions of the experiment; nil if there is no revision, or if no variant has a weight.
    ///
    /// The control is the first variant that offers nothing or, if each offers something, the first variant.
    ///
    /// - Parameter publications: the revisions, the latest first, without gaps.
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
        // The earliest goal counts, because the goals of later revisions may have been chosen after results were seen.
        guard
            let plan = ExperimentPlan(
                weights: ([control] + others).map(\.weight), measure: goal.measure,
                method: ExperimentMethod(earliest.campaign.design.analysis), effect: ChosenEffect(goal))
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
    /// Whether the outcomes of both campaigns can be counted together.
    fileprivate func asksTheSame(as other: Campaign) -> Bool {
        design.variants.map(\.withoutName) == other.design.variants.map(\.withoutName) && design.unit == other.design.unit
            && design.goal.metric == other.design.goal.metric && design.goal.window == other.design.goal.window
            && design.goal.currency == other.design.goal.currency && design.goal.cap == other.design.goal.cap
            && design.givesIntroductoryOfferAgain == other.design.givesIntroductoryOfferAgain
    }
}

extension ChosenEffect {
    /// Returns nil if the goal names no difference, or an impossible one.
    fileprivate init?(_ goal: CampaignGoal) {
        guard let detect = goal.detect else { return nil }
        if goal.metric == .revenue {
            self.init(detect: detect, standardDeviation: goal.standardDeviation)
        } else {
            self.init(detect: detect, expected: goal.expected)
        }
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
