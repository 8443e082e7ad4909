/// When the result of a campaign may be read.
public enum CampaignAnalysis: Hashable, Sendable {
    /// Any day, as often as one likes.
    case sequential
    /// Once: when the first so many units, of all variants together, have had their time.
    case fixed(sampleSize: Int)

    /// With fewer in a variant nothing can be read.
    static let minimumUnits = 50
    /// A test of more would outlive everybody.
    static let maxUnits = 1_000_000_000
}
