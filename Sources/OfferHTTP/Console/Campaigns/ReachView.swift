import EligibilityRules
import OfferService

/// The panel that shows how many stored customers an audience has.
struct ReachView: PageView {
    static let template = "reach"

    /// The progress of a count.
    struct Progress: TemplateView {
        let text: String
        let width: String
    }

    /// The address to which the editor's form is sent.
    let action: String
    /// Whether the form cannot be edited. The audience of the saved campaign is then counted.
    let isClosed: Bool
    /// Whether no count was requested.
    let isIdle: Bool
    let button: String
    let progress: Progress?
    let counted: ReachCountView?
    let isRefused: Bool
    /// The sentences that say why the audience cannot be counted; empty if it can.
    let reasons: [String]

    /// - Parameters:
    ///   - rule: the form's campaign, for which a forecast is made; nil if it cannot be read, or if it has begun.
    ///   - campaign: the id of the campaign whose draft can be tried on the customers of the sample; nil if it is not created
    ///     yet.
    init(
        finding: ReachPanel.Finding,
        form: CampaignForm,
        rule: Campaign? = nil,
        app: App,
        time: ConsoleTime,
        action: String,
        isClosed: Bool,
        campaign: String? = nil
    ) {
        self.action = action
        self.isClosed = isClosed
        isIdle = if case .nothing = finding { true } else { false }
        button = isIdle ? "Count them" : finding.isCounting ? "See how far it is" : "Count again"
        progress = if case .counting(let progress) = finding { Self.progress(progress) } else { nil }
        counted =
            if case .counted(let count, let funnel, let instant) = finding {
                ReachCountView(
                    count, funnel, asOf: time.at(instant), form: form,
                    forecast: rule.map {
                        ForecastWords.text($0, count.asking, isAtMost: !funnel.attributes.isEmpty, time)
                    }, app: app, campaign: campaign)
            } else { nil }
        reasons = if case .refused(let texts) = finding { texts } else { [] }
        isRefused = if case .refused = finding { true } else { false }
    }

    /// Creates the view of a count in the editor.
    init(_ state: EditorState, _ visit: CampaignVisit, isClosed: Bool) {
        self.init(
            finding: state.reach, form: state.form, rule: Self.rule(state, visit), app: visit.app, time: visit.time,
            action: state.action(visit),
            isClosed: isClosed, campaign: state.campaign?.name.id)
    }

    private static func rule(_ state: EditorState, _ visit: CampaignVisit) -> Campaign? {
        if let campaign = state.campaign, !campaign.takesForecast(at: visit.now) { return nil }
        return CampaignText(json: state.form.json(bundleID: visit.app.bundleID, in: visit.zone)).campaign
    }

    private static func progress(_ progress: CountingProgress) -> Progress {
        Progress(
            text: progress.total.map {
                "\(ConsoleTime.number(progress.done)) of \(ConsoleTime.number($0)) customers looked at"
            } ?? "Waiting for its turn", width: ConsoleTime.percent(progress.done, of: max(1, progress.total ?? 0)))
    }
}

/// Says, before a campaign is launched, how long it is likely to take until there is a verdict.
enum ForecastWords {
    /// Returns the forecast in one to three sentences.
    ///
    /// - Parameter isAtMost: whether there are conditions that only the app can check, so that fewer customers than counted may
    ///   be in the audience.
    static func text(_ campaign: Campaign, _ asking: AskingDays, isAtMost: Bool, _ time: ConsoleTime) -> String {
        switch campaign.forecast(asking, now: time.now) {
        case .days(let days, let units):
            "\(isAtMost ? "At least" : "About") \(ConsoleTime.count(days, "day")) to a verdict: \(ConsoleTime.count(units, "customer")) are needed, and their time must be over.\(limit(campaign, units)) \(pace(asking, campaign))"
        case .noSize:
            "How long it takes cannot be said: give \(missing(campaign.design.goal)), and the smallest difference worth knowing. \(pace(asking, campaign))"
        case .nothingToCompare: "There is only one variant, so there is no verdict to wait for."
        case .noPace:
            "How long it takes cannot be said yet: less than a week of questions for offers is known, or no customer who fits has asked. Fill in “Customers a day”, if you know about how many come."
        case .tooShort(let outlook): "\(OutlookWords.text(outlook, time)) \(pace(asking, campaign))"
        case .never(let units):
            "It needs \(ConsoleTime.count(units, "customer")), and does not get as many at this pace. \(pace(asking, campaign))"
        }
    }

    private static func missing(_ goal: CampaignGoal) -> String {
        goal.metric == .revenue ? "how much payments vary" : "the rate that you expect"
    }

    private static func limit(_ campaign: Campaign, _ units: Int) -> String {
        guard let total = campaign.limits?.total, total < units else { return "" }
        return " Its limit of \(ConsoleTime.count(total, "offer")) in all may be used up before."
    }

    private static func pace(_ asking: AskingDays, _ campaign: Campaign) -> String {
        guard asking.counts.count >= AskingDays.minimum, asking.all > 0 else {
            return campaign.design.goal.customersPerDay.map {
                "This assumes \(ConsoleTime.count($0, "customer")) a day, as you expect, until a week is measured."
            } ?? ""
        }
        let (weeks, days) = (asking.counts.count / 7, asking.counts.count)
        let perDay = max(1, Int((Double(asking.all) / Double(days)).rounded()))
        return
            "In the last \(ConsoleTime.count(weeks, "week")) \(ConsoleTime.count(asking.all, "customer")) who fit asked for offers, about \(ConsoleTime.number(perDay)) a day when each counts once. Questions that no campaign took, and that had nothing signed or refused, are not among them."
    }
}
