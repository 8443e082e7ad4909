import Synchronization

/// The memory for all request bodies together, from arrival to answer.
final class BodyBudget: Sendable {
    /// The bytes of each body that are not counted. Small requests cost nothing here, and proceed when the budget is used up.
    static let free = 4096
    // Unauthenticated clients share a quarter, so that the rest is left for clients with an access key.
    private static let unauthenticatedPart = 4

    private let limit: Int
    private let taken = Atomic(0)
    private let takenUnauthenticated = Atomic(0)

    /// - Parameter limit: the budget, in bytes.
    init(limit: Int) { self.limit = limit }

    /// Takes bytes from the budget. Returns false, and takes nothing, if too few are left.
    func take(_ bytes: Int, isUnauthenticated: Bool) -> Bool {
        if isUnauthenticated,
            takenUnauthenticated.add(bytes, ordering: .relaxed).newValue > limit / BodyBudget.unauthenticatedPart
        {
            takenUnauthenticated.subtract(bytes, ordering: .relaxed)
            return false
        }
        guard taken.add(bytes, ordering: .relaxed).newValue <= limit else {
            give(bytes, isUnauthenticated: isUnauthenticated)
            return false
        }
        return true
    }

    /// Returns bytes to the budget.
    func give(_ bytes: Int, isUnauthenticated: Bool) {
        taken.subtract(bytes, ordering: .relaxed)
        if isUnauthenticated { takenUnauthenticated.subtract(bytes, ordering: .relaxed) }
    }
}
