/// How long a campaign is likely to take from its start to a verdict.
public enum CampaignForecast: Hashable, Sendable {
    /// The number of days until this many units have been exposed and their windows are over.
    case days(Int, units: Int)
    /// The goal names no difference to detect, or not the expected rate or, for revenue, how much payments vary.
    case noSize
    /// Customers get one variant only.
    case nothingToCompare
    /// The pace is not known: fewer than seven days of requests for offers are known, or no customer who fits has asked, and the goal
    /// does not say how many customers a day are expected.
    case noPace
    /// At the known pace the campaign never gets this many units.
    case never(units: Int)
    /// The campaign probably ends before it has the units that a verdict needs.
    case tooShort(ExperimentOutlook)
}

extension Campaign {
    /// Returns the forecast for a campaign that starts now.
    ///
    /// - Parameter asking: how many customers of the audience asked for offers on the last days; nil if not known. The goal's
    ///   `customersPerDay` counts only if these days show no pace.
    public func forecast(_ asking: AskingDays?, now: Instant) -> CampaignForecast {
        guard let plan = ExperimentRevisions([CampaignRevision(self, number: 0)])?.plan,
            plan.weights.count(where: { $0 > 0 }) > 1
        else { return .nothingToCompare }
        guard let needed = plan.unitsNeeded else { return .noSize }
        guard (0...Bucket.count).contains(design.holdout), (0...Bucket.count).contains(design.enrolment) else { return .noPace }
        let share = Double(Bucket.count - design.holdout) / Double(Bucket.count) * Double(design.enrolment) / Double(Bucket.count)
        let window = Double(design.goal.window.after(now).milliseconds(since: now)) / (24 * 3600 * 1000)
        let planned = ExposurePace(unitsPerDay: share * Double(design.goal.customersPerDay ?? 0), windowDays: window)
        guard let pace = asking?.pace(share: share, windowDays: window) ?? (planned.unitsPerDay > 0 ? planned : nil) else {
            return .noPace
        }
        if let outlook = ExperimentOutlook(self, plan, pace: pace, now: max(now, schedule.from ?? now)) {
            return .tooShort(outlook)
        }
        return pace.days(until: needed, exposed: 0, matured: 0).map { .days($0, units: needed) } ?? .never(units: needed)
    }
}

/// How many customers of an audience asked for offers on each of the last days.
///
/// A customer who asked on several of these days is counted on the first of them. A campaign that starts now is likely to gain
/// customers in the same way: many on the first days, and later those who ask less often.
public struct AskingDays: Hashable, Sendable {
    /// The fewest days that show a pace, because fewer would lack some days of the week.
    public static let minimum = 7
    /// The most days: whole weeks, so that each day of the week occurs equally often.
    public static let maximum = 28

    /// The number of customers on each day, the earliest day first.
    public let counts: [Int]

    /// Takes the counts, the earliest day first.
    public init(counts: [Int]) { self.counts = counts }

    /// The number of customers of all days together.
    public var all: Int { counts.reduce(0, +) }

    /// Returns the pace of a campaign that takes this share of the customers; nil if there are too few days or no customers.
    func pace(share: Double, windowDays: Double) -> ExposurePace? {
        guard counts.count >= Self.minimum, all > 0 else { return nil }
        let week = counts.suffix(Self.minimum).reduce(0, +)
        return ExposurePace(
            unitsPerDay: share * Double(week) / Double(Self.minimum), windowDays: windowDays,
            firstDays: counts.map { share * Double($0) })
    }
}
