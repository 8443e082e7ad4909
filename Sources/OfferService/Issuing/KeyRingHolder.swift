package import OfferSigning
package import OfferStore
import Synchronization

/// The key ring in force; a rotation swaps the whole snapshot.
package final class KeyRingHolder: ChangeFollower {
    private let state: Mutex<(ring: KeyRing, revision: Int64)>
    private let load: @Sendable () throws -> KeyRing

    package let topic = ChangeTopic.keys
    package let complaint = "signing keys cannot be read again"

    /// - Parameters:
    ///   - ring: of the revision 0.
    ///   - load: reads the keys again.
    package init(_ ring: KeyRing, load: @escaping @Sendable () throws -> KeyRing) {
        state = Mutex((ring, 0))
        self.load = load
    }

    package var current: KeyRing { state.withLock(\.ring) }

    /// Swaps the ring; one that cannot be loaded leaves the old one in force, and is tried again.
    package func follow(_ revision: Int64) async throws {
        guard revision != state.withLock(\.revision) else { return }
        let loaded = try load()
        state.withLock { $0 = (loaded, revision) }
    }
}
