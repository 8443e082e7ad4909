package import OfferSigning
package import OfferStore
import Synchronization

/// The key ring in force; a rotation swaps the whole snapshot.
package final class KeyRingHolder: ChangeFollower {
    private let ring: Mutex<KeyRing>
    private let revision = Mutex<Int64>(0)
    private let load: @Sendable () throws -> KeyRing

    package let topic = ChangeTopic.keys
    package let complaint = "signing keys cannot be read again"

    /// - Parameters:
    ///   - ring: of the revision 0.
    ///   - load: reads the keys again.
    package init(_ ring: KeyRing, load: @escaping @Sendable () throws -> KeyRing) {
        self.ring = Mutex(ring)
        self.load = load
    }

    package var current: KeyRing { ring.withLock { $0 } }

    /// Swaps the ring; one that cannot be loaded leaves the old one in force, and is tried again.
    package func follow(_ revision: Int64) async throws {
        guard revision != self.revision.withLock({ $0 }) else { return }
        let loaded = try load()
        ring.withLock { $0 = loaded }
        self.revision.withLock { $0 = revision }
    }
}
