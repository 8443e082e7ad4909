import Synchronization

/// The memory for all request bodies together, from arrival to answer.
final class BodyBudget: Sendable {
    /// The bytes of each body that are not counted. Small requests cost nothing here, and proceed when the budget is used up.
    static let free = 4096
    // Unauthenticated clients share a quarter, so that the rest is left for clients with an access key.
    private static let strangersPart = 4

    private let limit: Int
    private let taken = Atomic(0)
    private let takenByStrangers = Atomic(0)

    /// - Parameter limit: the budget, in bytes.
    init(limit: Int) { self.limit = limit }

    /// Takes bytes from the budget. Returns false, and takes nothing, if too few are left.
    func take(_ bytes: Int, isStranger: Bool) -> Bool {
        if isStranger, takenByStrangers.add(bytes, ordering: .relaxed).newValue > limit / BodyBudget.strangersPart {
            takenByStrangers.subtract(bytes, ordering: .relaxed)
            return false
        }
        guard taken.add(bytes, ordering: .relaxed).newValue <= limit else {
            give(bytes, isStranger: isStranger)
            return false
        }
        return true
    }

    /// Returns bytes to the budget.
    func give(_ bytes: Int, isStranger: Bool) {
        taken.subtract(bytes, ordering: .relaxed)
        if isStranger { takenByStrangers.subtract(bytes, ordering: .relaxed) }
    }
}
