/// What an experiment has shown, for the one who planned it.
public struct ExperimentVerdict: Hashable, Sendable {
    /// Which verdict.
    public enum Code: String, Sendable, CaseIterable {
        case winner
        case noDifference = "no-difference"
        case noVerdictYet = "no-verdict-yet"
        case tooLittleData = "too-little-data"
        case sampleRatioMismatch = "sample-ratio-mismatch"
    }

    /// The stable code.
    public let code: Code
    /// The same for people.
    public let sentence: String
    /// The winner; nil for every other verdict.
    public let variant: String?
    /// What speaks against doing what the verdict suggests; nil if nothing does.
    public let caution: String?
}
