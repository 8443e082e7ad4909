/// The smallest difference to detect, as a marketer chooses it.
public struct ChosenEffect: Hashable, Sendable {
    /// The difference of two rates, above 0 and below 1: 0.02 is two customers of 100.
    public let detect: Double
    /// The expected rate of the control; nil if not given.
    public let expected: Double?

    /// - Returns: nil if `detect` or `expected` is out of range, or their sum is not below 1.
    public init?(detect: Double, expected: Double? = nil) {
        guard detect > 0, detect < 1 else { return nil }
        if let expected, !(expected > 0 && expected + detect < 1) { return nil }
        self.detect = detect
        self.expected = expected
    }
}
