import Synchronization

/// The memory for all request bodies together, from arrival to answer.
final class BodyBudget: Sendable {
    /// The bytes of each body that are not counted. Small requests cost nothing here, and proceed when the budget is used up.
    static let free = 4096

    /// Those who share a part of the budget.
    enum Part {
        /// Clients with an access key, who may use all of it.
        case authenticated
        /// Unauthenticated clients share a quarter, so that the rest is left for clients with an access key.
        case unauthenticated
        /// Their bodies over 1 MiB share another quarter, so that a few of them leave room for all the usual ones.
        case unauthenticatedDocuments
    }

    private let limit: Int
    private let taken = Atomic(0)
    private let takenUnauthenticated = Atomic(0)
    private let takenDocuments = Atomic(0)

    /// - Parameter limit: the budget, in bytes.
    init(limit: Int) { self.limit = limit }

    /// Takes bytes from the budget. Returns false, and takes nothing, if too few are left.
    func take(_ bytes: Int, for part: Part) -> Bool {
        func add(to counter: borrowing Atomic<Int>, upTo limit: Int) -> Bool {
            guard counter.add(bytes, ordering: .relaxed).newValue > limit else { return true }
            counter.subtract(bytes, ordering: .relaxed)
            return false
        }
        switch part {
        case .authenticated: break
        case .unauthenticated: guard add(to: takenUnauthenticated, upTo: limit / 4) else { return false }
        case .unauthenticatedDocuments: guard add(to: takenDocuments, upTo: limit / 4) else { return false }
        }
        guard add(to: taken, upTo: limit) else {
            giveBack(bytes, of: part)
            return false
        }
        return true
    }

    /// Returns bytes to the budget.
    func give(_ bytes: Int, of part: Part) {
        taken.subtract(bytes, ordering: .relaxed)
        giveBack(bytes, of: part)
    }

    private func giveBack(_ bytes: Int, of part: Part) {
        switch part {
        case .authenticated: break
        case .unauthenticated: takenUnauthenticated.subtract(bytes, ordering: .relaxed)
        case .unauthenticatedDocuments: takenDocuments.subtract(bytes, ordering: .relaxed)
        }
    }
}
