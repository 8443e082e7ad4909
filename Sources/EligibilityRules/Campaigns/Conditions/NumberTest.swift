/// A test of a number.
enum NumberTest: Hashable, Sendable {
    case oneOf([Double])
    case above(Double)
    case below(Double)
    /// Both ends included.
    case between(Double, Double)

    func holds(for number: Double) -> Bool {
        switch self {
        case .oneOf(let numbers): numbers.contains(number)
        case .above(let bound): number > bound
        case .below(let bound): number < bound
        case .between(let low, let high): low <= number && number <= high
        }
    }
}
