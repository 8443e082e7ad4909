import NIOCore
import OfferService

/// How many bytes of refused bodies the service reads only to throw them away: a little for the sake of ordinary clients, no more for a crowd.
final class Waste: Sendable {
    private static let unit = 1024
    private static let unitsPerSecond: Int64 = 16 * 1024
    private let limit = RateLimit(requestsPerSecond: unitsPerSecond, burst: unitsPerSecond)
    private let state = RateState()

    /// Whether these bytes may be read and thrown away; 16 MiB a second in all.
    func admit(_ bytes: Int) -> Bool {
        let cost = Int64((bytes + Waste.unit - 1) / Waste.unit)
        return limit.admit(state, now: Int64(NIODeadline.now().uptimeNanoseconds), cost: cost).isAllowed
    }
}
