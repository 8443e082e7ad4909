import Synchronization

/// Limits the memory that all request bodies together take, from their arrival until their requests are answered.
final class BodyBudget: Sendable {
    /// The first bytes of each body that are not counted.
    ///
    /// A request with a smaller body takes nothing from the budget. It is therefore served even if the budget is used up.
    static let free = 4096

    /// The clients that share a part of the budget.
    enum Part {
        /// Clients with an access key. They may use the whole budget.
        case authenticated
        /// Clients without an access key, with bodies of up to 1 MiB. They share a quarter of the budget, so that the rest is
        /// left for clients with an access key.
        case unauthenticated
        /// Clients without an access key, with bodies over 1 MiB. They share another quarter, so that a few large bodies do not
        /// take the room of the usual ones.
        case unauthenticatedDocuments
    }

    private let limit: Int
    private let taken = Atomic(0)
    private let takenUnauthenticated = Atomic(0)
    private let takenDocuments = Atomic(0)

    /// - Parameter limit: the budget, in bytes.
    init(limit: Int) { self.limit = limit }

    /// Takes bytes from the budget.
    ///
    /// Returns false, and takes nothing, if too few are left.
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
