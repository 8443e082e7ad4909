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
