/// The numbers that pass some tests, as a range.
struct NumberRange {
    private(set) var low: Double
    private(set) var high: Double = .infinity
    private(set) var isLowOpen = false
    private(set) var isHighOpen = false
    private let isWhole: Bool

    /// Creates the range of all numbers.
    ///
    /// - Parameter isWhole: true for a fact, because the numbers of facts are whole and not negative.
    init(isWhole: Bool) {
        self.isWhole = isWhole
        low = isWhole ? 0 : -.infinity
    }

    var isEmpty: Bool { low > high || low == high && (isLowOpen || isHighOpen) }

    /// The numbers in the range; nil if there are too many.
    var numbers: [Double]? {
        if isEmpty { return [] }
        if low == high { return [low] }
        guard isWhole, high - low < 1000 else { return nil }
        return Array(stride(from: low, through: high, by: 1))
    }

    mutating func narrow(by literal: ConditionLiteral) {
        guard case .number(let test) = literal.test.test else { return }
        switch (test, literal.isDenied) {
        case (.above(let bound), false): raise(to: bound, isOpen: true)
        case (.above(let bound), true): lower(to: bound, isOpen: false)
        case (.below(let bound), false): lower(to: bound, isOpen: true)
        case (.below(let bound), true): raise(to: bound, isOpen: false)
        case (.between(let low, let high), false):
            raise(to: low, isOpen: false)
            lower(to: high, isOpen: false)
        // A denied `between` has been split up into `below` and `above`. `oneOf` is about single numbers, which `SubjectLiterals`
        // tries one by one.
        case (.between, true), (.oneOf, _): break
        }
    }

    private mutating func raise(to bound: Double, isOpen: Bool) {
        let (bound, isOpen) = isWhole ? (isOpen ? bound.roundedDown + 1 : bound.roundedUp, false) : (bound, isOpen)
        guard bound > low || bound == low && isOpen else { return }
        (low, isLowOpen) = (bound, isOpen)
    }

    private mutating func lower(to bound: Double, isOpen: Bool) {
        let (bound, isOpen) = isWhole ? (isOpen ? bound.roundedUp - 1 : bound.roundedDown, false) : (bound, isOpen)
        guard bound < high || bound == high && isOpen else { return }
        (high, isHighOpen) = (bound, isOpen)
    }
}

extension Double {
    // Written without `floor`, which would need Foundation or Glibc. From 2^52 on, every number is whole.
    fileprivate var roundedDown: Double {
        guard magnitude < 4_503_599_627_370_496 else { return self }
        let cut = Double(Int64(self))
        return cut > self ? cut - 1 : cut
    }

    fileprivate var roundedUp: Double { -(-self).roundedDown }
}
