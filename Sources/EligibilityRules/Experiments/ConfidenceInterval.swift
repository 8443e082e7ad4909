/// A confidence interval, at a level that its creator chooses.
public struct ConfidenceInterval: Hashable, Sendable {
    /// The lower end.
    public let low: Double
    /// The upper end.
    public let high: Double

    /// Creates an interval from its ends.
    public init(low: Double, high: Double) {
        self.low = low
        self.high = high
    }

    /// Whether the whole interval lies above 0.
    public var isAboveZero: Bool { low > 0 }

    /// Whether the whole interval lies below 0.
    public var isBelowZero: Bool { high < 0 }

    /// Whether the whole interval lies between −distance and +distance.
    public func isWithin(_ distance: Double) -> Bool { low > -distance && high < distance }
}
