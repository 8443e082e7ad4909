package import OfferStore

/// A snapshot in memory of something that may change in the store.
package protocol ChangeFollower: Sendable {
    /// What it is a snapshot of.
    var topic: ChangeTopic { get }
    /// What operators are told when it cannot be read again.
    var complaint: String { get }

    /// Reads it again, unless it is of this revision already. The snapshot in force stays if that fails.
    func follow(_ revision: Int64) async throws
}
