package import OfferSigning
import Synchronization

/// The key ring in force; a rotation swaps the whole snapshot.
package final class KeyRingHolder: Sendable {
    private let ring: Mutex<KeyRing>

    package init(_ ring: KeyRing) { self.ring = Mutex(ring) }

    package var current: KeyRing { ring.withLock { $0 } }
}
