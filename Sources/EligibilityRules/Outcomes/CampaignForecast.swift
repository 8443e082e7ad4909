/// How long a campaign is likely to take from its start to a verdict.
public enum CampaignForecast: Hashable, Sendable {
    /// The days until so many units have been exposed and their windows are over.
    case days(Int, units: Int)
    /// The goal names no difference to detect, or no expected rate.
    case noSize
    /// Customers get one variant only.
    case nothingToCompare
    /// The questions of less than a week are known, or no customer who fits has asked or is let in.
    case noPace
    /// At the pace of the last week it never gets so many units.
    case never(units: Int)
}

extension Campaign {
    /// The forecast for a start now.
    ///
    /// - Parameter asking: the customers of the audience who have asked lately; nil: not known.
    public func forecast(_ asking: AskingDays?, now: Instant) -> CampaignForecast {
        guard let plan = ExperimentRevisions([CampaignRevision(self, number: 0)])?.plan,
            plan.weights.count(where: { $0 > 0 }) > 1
        else { return .nothingToCompare }
        guard let needed = plan.unitsNeeded else { return .noSize }
        guard (0...Bucket.count).contains(design.holdout), (0...Bucket.count).contains(design.enrolment) else { return .noPace }
        let share = Double(Bucket.count - design.holdout) / Double(Bucket.count) * Double(design.enrolment) / Double(Bucket.count)
        let window = Double(design.goal.window.after(now).milliseconds(since: now)) / (24 * 3600 * 1000)
        guard let pace = asking?.pace(share: share, windowDays: window) else { return .noPace }
        return pace.days(until: needed, exposed: 0, matured: 0).map { .days($0, units: needed) } ?? .never(units: needed)
    }
}

/// How many customers of an audience asked for offers in each of the last days, each on the first of these days on which it did.
///
/// A campaign that starts now is likely to gain customers alike: many at first, and then those who ask more rarely.
public struct AskingDays: Hashable, Sendable {
    /// Fewer days show no pace, because they lack some days of the week.
    public static let minimum = 7
    /// How far back questions are looked at: whole weeks, so that each day of the week keeps its place.
    public static let maximum = 28

    /// One count per day, the earliest day first.
    public let counts: [Int]

    /// Takes the value as it is.
    public init(counts: [Int]) { self.counts = counts }

    /// The customers of all days together.
    public var all: Int { counts.reduce(0, +) }

    /// The pace of a campaign that takes this share of them.
    func pace(share: Double, windowDays: Double) -> ExposurePace? {
        guard counts.count >= Self.minimum, all > 0 else { return nil }
        let week = counts.suffix(Self.minimum).reduce(0, +)
        return ExposurePace(
            unitsPerDay: share * Double(week) / Double(Self.minimum), windowDays: windowDays,
            firstDays: counts.map { share * Double($0) })
    }
}
