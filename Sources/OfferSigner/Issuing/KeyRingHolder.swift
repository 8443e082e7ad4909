import OfferSigning
import Synchronization

/// The key ring in force; a rotation swaps the whole snapshot.
final class KeyRingHolder: Sendable {
    private let ring: Mutex<KeyRing>

    init(_ ring: KeyRing) { self.ring = Mutex(ring) }

    var current: KeyRing { ring.withLock { $0 } }
}
