import Dispatch
import Glibc
import OfferSigning
import Synchronization

/// Returns memory to the system after a large body was answered.
///
/// Otherwise the heap of each thread would keep for good what its largest body needed, which is many times the size of the body.
package enum HeapTrim {
    /// The time from an answer to the trim.
    ///
    /// By then the answer is on its way, and the memory that it needed is free.
    private static let delay = DispatchTimeInterval.milliseconds(100)
    private static let isPlanned = Atomic(false)
    private static let queue = DispatchQueue(label: "heap trim", qos: .utility)

    /// Plans a trim. All bodies that are answered before it takes place share it.
    package static func plan() {
        guard !isPlanned.exchange(true, ordering: .relaxed) else { return }
        queue.asyncAfter(deadline: .now() + delay) {
            isPlanned.store(false, ordering: .relaxed)
            Crypto.trimHeap()
        }
    }
}
