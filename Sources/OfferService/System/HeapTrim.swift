import Dispatch
import Glibc
import OfferSigning
import Synchronization

/// Gives memory back to the system once a large body is answered.
///
/// The heap of each thread would otherwise keep what its largest body needed, many times the body, for good.
package enum HeapTrim {
    /// The time from an answer to the trim.
    ///
    /// By then the answer is on its way, and the memory that was used for it is freed.
    private static let delay = DispatchTimeInterval.milliseconds(100)
    private static let isPlanned = Atomic(false)
    private static let queue = DispatchQueue(label: "heap trim", qos: .utility)

    /// Plans a trim, which all bodies share that are answered until it takes place.
    package static func plan() {
        guard !isPlanned.exchange(true, ordering: .relaxed) else { return }
        queue.asyncAfter(deadline: .now() + delay) {
            isPlanned.store(false, ordering: .relaxed)
            Crypto.trimHeap()
        }
    }
}
