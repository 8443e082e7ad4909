/// What an experiment has shown, in words for the person who planned it.
public struct ExperimentVerdict: Hashable, Sendable {
    /// The kind of a verdict.
    public enum Code: String, Sendable, CaseIterable {
        case winner
        case noDifference = "no-difference"
        case noVerdictYet = "no-verdict-yet"
        case tooLittleData = "too-little-data"
        case sampleRatioMismatch = "sample-ratio-mismatch"
    }

    /// The code for programs.
    public let code: Code
    /// The verdict as a sentence.
    public let sentence: String
    /// The id of the variant that has won; nil for any other verdict.
    public let variant: String?
    /// A reason not to act on the verdict: another variant earns more; nil if there is none.
    public let caution: String?
    /// Whether another variant than the winner earns more per unit so far, whether or not that is shown.
    public var moneyDisagrees: Bool { caution != nil }
}
