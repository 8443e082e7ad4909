import EligibilityRules
import OfferStore
import OfferStoreTesting
import Synchronization

/// A ledger that remembers what was noted of the time served, and can be away.
final class RecordedLedger: ForwardingLedger {
    private struct State {
        var served: [Int64] = []
        var isAway = false
    }

    private let store = TemporaryStore()
    private let state = Mutex(State())

    var ledger: any Ledger { store.ledger }

    /// In ms, in order.
    var served: [Int64] { state.withLock(\.served) }

    /// Whether nothing more can be noted.
    var isAway: Bool {
        get { state.withLock(\.isAway) }
        set { state.withLock { $0.isAway = newValue } }
    }

    @discardableResult
    func served(_ milliseconds: Int64, at instant: Instant) async throws(StoreError) -> Int64 {
        guard !isAway else { throw StoreError(.unavailable, "away") }
        state.withLock { $0.served.append(milliseconds) }
        return try await ledger.served(milliseconds, at: instant)
    }
}
