/// When a verdict may be read.
public enum ExperimentMethod: Hashable, Sendable {
    /// At any time, as often as wanted.
    case sequential
    /// Once: when the first `units` of all variants together have been exposed and their windows are over.
    case fixedHorizon(units: Int)
}
