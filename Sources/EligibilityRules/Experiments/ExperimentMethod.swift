/// When a verdict may be read.
public enum ExperimentMethod: Hashable, Sendable {
    /// At any time, as often as one likes.
    case sequential
    /// Once: when so many units, the first ones of all variants together, have been exposed and their windows are over.
    case fixedHorizon(units: Int)
}
