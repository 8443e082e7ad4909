/// What one request's body takes of the budget; it goes back when this is let go.
struct BodyShare: ~Copyable {
    private let budget: BodyBudget
    private let isStranger: Bool
    private var taken = 0

    /// - Parameter isStranger: whether the sender needs no access key, or has not shown a good one.
    init(of budget: BodyBudget, isStranger: Bool) {
        self.budget = budget
        self.isStranger = isStranger
    }

    deinit { if taken > 0 { budget.give(taken, isStranger: isStranger) } }

    /// Has room for a body of so many bytes; false, and nothing more taken, if there is none.
    mutating func grow(to length: Int) -> Bool {
        let due = length - BodyBudget.free - taken
        guard due > 0 else { return true }
        guard budget.take(due, isStranger: isStranger) else { return false }
        taken += due
        return true
    }
}
