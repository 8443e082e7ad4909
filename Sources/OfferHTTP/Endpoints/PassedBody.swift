import NIOCore
import OfferService
import Synchronization

/// What later handlers need of the body of a request that is not for an endpoint.
struct PassedBody {
    /// The largest body that is read, in bytes; 0 if no body is read.
    var maxSize = 0
    /// Whether the body is a secret.
    ///
    /// It is then kept apart from the pipeline, and zeros are forwarded in its place.
    var isSecret = false
}

/// Passes a large value to another thread.
///
/// That thread becomes its only owner, so that the memory is free once it has read the value.
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

/// Limits how many bytes of refused bodies the process reads only to discard them.
///
/// The limit is ample for ordinary clients, and bounds the work that a crowd can cause.
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
