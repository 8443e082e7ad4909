/// What a marketer wants to find out: the smallest difference that is worth knowing.
public struct ChosenEffect: Hashable, Sendable {
    /// The difference of two shares, above 0 and below 1: 0.02 is two customers of 100.
    public let detect: Double
    /// The share of the control that is expected to reach the goal; nil if nobody has said.
    public let expected: Double?

    /// - Returns: nil for what is no difference or no share, and where nobody could reach the goal more often by `detect`.
    public init?(detect: Double, expected: Double? = nil) {
        guard detect > 0, detect < 1 else { return nil }
        if let expected, !(expected > 0 && expected + detect < 1) { return nil }
        self.detect = detect
        self.expected = expected
    }
}
