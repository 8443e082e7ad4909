import NIOCore
import OfferService
import Synchronization

/// What later handlers need of the body of a request that is not for an endpoint.
struct PassedBody {
    /// The largest body that is read, in bytes; 0: none is read.
    var maxSize = 0
    /// Whether the body is kept apart, and only zeros are forwarded.
    var isSecret = false
}

/// A large value on its way to another thread: that thread then is its only owner, and frees it when it has been read.
final class HandedOver<Value: Sendable>: Sendable {
    private let value: Mutex<Value?>

    init(_ value: Value) { self.value = Mutex(value) }

    /// Returns the value, once; nil afterwards.
    func take() -> Value? {
        value.withLock { value in
            defer { value = nil }
            return value
        }
    }
}

/// The limit on bytes of refused bodies that are read only to be discarded: a little for ordinary clients, no more for a crowd.
final class DiscardBudget: Sendable {
    private static let unit = 1024
    private static let unitsPerSecond: Int64 = 16 * 1024
    private let limit = RateLimit(requestsPerSecond: unitsPerSecond, burst: unitsPerSecond)
    private let state = RateState()

    /// Whether these bytes may be read and discarded; 16 MiB a second in all.
    func admit(_ bytes: Int) -> Bool {
        let cost = Int64((bytes + DiscardBudget.unit - 1) / DiscardBudget.unit)
        return limit.admit(state, now: Int64(NIODeadline.now().uptimeNanoseconds), cost: cost).isAllowed
    }
}
