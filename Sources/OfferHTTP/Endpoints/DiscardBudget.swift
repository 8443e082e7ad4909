import NIOCore
import OfferService

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
