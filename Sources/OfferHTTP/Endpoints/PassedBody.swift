import NIOCore
import OfferService
import Synchronization

/// How the body of a request is forwarded that is not for an endpoint.
struct PassedBody {
    /// The largest body that is read, in bytes; 0 if no body is read.
    var maxSize = 0
    /// Whether the body is a secret.
    ///
    /// A secret body is kept outside of the pipeline, and zeros are forwarded in its place.
    var isSecret = false
}

/// Passes a large value to another thread.
///
/// The other thread becomes the only owner, so that the memory is free as soon as that thread does not need the value any more.
final class HandedOver<Value: Sendable>: Sendable {
    private let value: Mutex<Value?>

    init(_ value: Value) { self.value = Mutex(value) }

    /// Returns the value at the first call, and nil after that.
    func take() -> Value? {
        value.withLock { value in
            defer { value = nil }
            return value
        }
    }
}

/// Limits how many bytes of refused bodies the process reads and discards in a second.
///
/// The limit is more than ordinary clients need. It bounds the work that many clients together can cause.
final class DiscardBudget: Sendable {
    private static let unit = 1024
    private static let unitsPerSecond: Int64 = 16 * 1024
    private let limit = RateLimit(requestsPerSecond: unitsPerSecond, burst: unitsPerSecond)
    private let state = RateState()

    /// Whether this many bytes may be read and discarded now.
    ///
    /// The limit is 16 MiB a second for all connections together.
    func admit(_ bytes: Int) -> Bool {
        let cost = Int64((bytes + DiscardBudget.unit - 1) / DiscardBudget.unit)
        return limit.admit(state, now: Int64(NIODeadline.now().uptimeNanoseconds), cost: cost).isAllowed
    }
}
