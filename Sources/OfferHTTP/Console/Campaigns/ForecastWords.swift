import EligibilityRules

/// Says how long a campaign is likely to take before it is launched.
enum ForecastWords {
    /// Returns a sentence or two.
    ///
    /// - Parameter isAtMost: whether conditions that are not known here may exclude some of those who asked.
    static func text(_ campaign: Campaign, _ asking: AskingDays, isAtMost: Bool, now: Instant) -> String {
        switch campaign.forecast(asking, now: now) {
        case .days(let days, let units):
            "\(isAtMost ? "At least" : "About") \(ConsoleTime.count(days, "day")) to a verdict: \(ConsoleTime.count(units, "customer")) are needed, and their time must be over.\(limit(campaign, units)) \(pace(asking))"
        case .noSize:
            "How long it takes cannot be said: give the rate that you expect, and the smallest difference worth knowing. \(pace(asking))"
        case .nothingToCompare: "There is only one variant, so there is no verdict to wait for."
        case .noPace:
            "How long it takes cannot be said yet: less than a week of questions for offers is known, or no customer who fits has asked."
        case .never(let units):
            "It needs \(ConsoleTime.count(units, "customer")), and does not get as many at the pace of the last days. \(pace(asking))"
        }
    }

    private static func limit(_ campaign: Campaign, _ units: Int) -> String {
        guard let total = campaign.limits?.total, total < units else { return "" }
        return " Its limit of \(ConsoleTime.count(total, "offer")) in all may be used up before."
    }

    private static func pace(_ asking: AskingDays) -> String {
        guard asking.counts.count >= AskingDays.minimum, asking.all > 0 else { return "" }
        let (weeks, days) = (asking.counts.count / 7, asking.counts.count)
        let perDay = max(1, Int((Double(asking.all) / Double(days)).rounded()))
        return
            "In the last \(ConsoleTime.count(weeks, "week")) \(ConsoleTime.count(asking.all, "customer")) who fit asked for offers, about \(ConsoleTime.number(perDay)) a day when each counts once. Questions that no campaign took, and that had nothing signed or refused, are not among them."
    }
}
