package import OfferStore

/// A snapshot in memory of something that may change in the store.
package protocol ChangeFollower: Sendable {
    /// The topic of the snapshot.
    var topic: ChangeTopic { get }
    /// The message for operators when it cannot be read again.
    var complaint: String { get }

    /// Reads it again, unless this revision is loaded already. The snapshot in force stays if that fails.
    func follow(_ revision: Int64) async throws
}
