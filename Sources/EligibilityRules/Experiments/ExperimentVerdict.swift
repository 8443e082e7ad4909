/// What an experiment has shown, for its planner.
public struct ExperimentVerdict: Hashable, Sendable {
    /// The kind of a verdict.
    public enum Code: String, Sendable, CaseIterable {
        case winner
        case noDifference = "no-difference"
        case noVerdictYet = "no-verdict-yet"
        case tooLittleData = "too-little-data"
        case sampleRatioMismatch = "sample-ratio-mismatch"
    }

    /// The stable code.
    public let code: Code
    /// The verdict as a sentence.
    public let sentence: String
    /// The winner; nil for any other verdict.
    public let variant: String?
    /// A reason against acting on the verdict; nil if there is none.
    public let caution: String?
}
