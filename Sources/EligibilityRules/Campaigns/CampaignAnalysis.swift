/// When the result of a campaign may be read.
public enum CampaignAnalysis: Hashable, Sendable {
    /// At any time, as often as wanted.
    case sequential
    /// Once: when the first `sampleSize` units, of all variants together, have completed the goal's window.
    case fixed(sampleSize: Int)

    /// The fewest units of a variant from which a result is read.
    static let minimumUnits = 50
    /// The largest sample size. A larger test would never end.
    static let maxUnits = 1_000_000_000
}
