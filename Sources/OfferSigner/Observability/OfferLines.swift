import Synchronization

/// Decides which offers have a line in the log. The extent may change while the service runs.
final class OfferLines: Sendable {
    private static let extents = LoggedOffers.allCases
    private static let sampledOneIn: UInt = 100

    private let index: Atomic<Int>

    init(_ extent: LoggedOffers) { index = Atomic(OfferLines.index(of: extent)) }

    var extent: LoggedOffers { OfferLines.extents[index.load(ordering: .relaxed)] }

    /// Whether refusals are logged.
    var admitRefusals: Bool { extent != .off }

    /// Whether what a request was granted is logged: for all of its offers, or for none.
    func admitGrants(of requestID: String) -> Bool {
        switch extent {
        case .full: true
        // The seed differs from process to process, so that no caller can choose an id without lines.
        case .sampled: UInt(bitPattern: requestID.hashValue) % OfferLines.sampledOneIn == 0
        case .off: false
        }
    }

    func change(to extent: LoggedOffers) { index.store(OfferLines.index(of: extent), ordering: .relaxed) }

    private static func index(of extent: LoggedOffers) -> Int { extents.firstIndex(of: extent)! }
}
