package import OfferSigning
import Synchronization

/// Random bytes, fetched a page at a time: one call of the generator costs as much for nine bytes as for a thousand.
///
/// Not for secrets: bytes that were taken stay in memory until the page is used up.
package final class RandomPool: Sendable {
    private static let size = 4096

    private let bytes = Mutex<[UInt8]>([])

    /// An empty pool.
    package init() {}

    /// Returns bytes that no other caller gets.
    package func take(_ count: Int) throws(SigningError) -> [UInt8] {
        guard count <= RandomPool.size / 16 else { return try Crypto.randomBytes(count) }
        return try bytes.withLock { bytes throws(SigningError) in
            if bytes.count < count { bytes = try Crypto.randomBytes(RandomPool.size) }
            let taken = Array(bytes.suffix(count))
            bytes.removeLast(count)
            return taken
        }
    }
}
