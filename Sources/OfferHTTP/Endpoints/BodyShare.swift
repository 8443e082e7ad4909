/// The share of one request's body in the budget. It returns to the budget when this value is released.
struct BodyShare: ~Copyable {
    private let budget: BodyBudget
    private let isUnauthenticated: Bool
    private var taken = 0

    /// - Parameter isUnauthenticated: whether the operation needs no access key, or the sender has not shown a valid one.
    init(of budget: BodyBudget, isUnauthenticated: Bool) {
        self.budget = budget
        self.isUnauthenticated = isUnauthenticated
    }

    deinit { if taken > 0 { budget.give(taken, isUnauthenticated: isUnauthenticated) } }

    /// Reserves room for a body of so many bytes. Returns false, and takes nothing more, if there is none.
    mutating func grow(to length: Int) -> Bool {
        let due = length - BodyBudget.free - taken
        guard due > 0 else { return true }
        guard budget.take(due, isUnauthenticated: isUnauthenticated) else { return false }
        taken += due
        return true
    }
}
