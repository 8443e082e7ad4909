/// The part of the `BodyBudget` that the body of one request takes.
///
/// When this value is released, the part is given back to the budget.
struct BodyShare: ~Copyable {
    private let budget: BodyBudget
    private var part: BodyBudget.Part
    private var taken = 0

    /// - Parameter isUnauthenticated: whether the operation needs no access key, or the sender has not shown a valid one.
    init(of budget: BodyBudget, isUnauthenticated: Bool) {
        self.budget = budget
        part = isUnauthenticated ? .unauthenticated : .authenticated
    }

    deinit { if taken > 0 { budget.give(taken, of: part) } }

    /// Returns the reserved bytes to the budget at once, before this value is released.
    mutating func giveBack() {
        if taken > 0 { budget.give(taken, of: part) }
        taken = 0
    }

    /// Reserves room for a body of `length` bytes in all.
    ///
    /// If the budget has too little left, returns false and takes nothing more.
    mutating func grow(to length: Int) -> Bool {
        let needed = length - BodyBudget.free
        guard needed > taken else { return true }
        if part == .unauthenticated, length > BodySize.usual {
            guard budget.take(needed, for: .unauthenticatedDocuments) else { return false }
            if taken > 0 { budget.give(taken, of: part) }
            part = .unauthenticatedDocuments
        } else {
            guard budget.take(needed - taken, for: part) else { return false }
        }
        taken = needed
        return true
    }
}
