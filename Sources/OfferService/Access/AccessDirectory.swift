import EligibilityRules
package import OfferStore
import ServiceLifecycle
import Synchronization

/// Every access key, held in memory and kept up to date with the store.
package final class AccessDirectory: ChangeFollower {
    private struct State {
        var callers: [String: Caller] = [:]
        var rates: [String: RateState] = [:]
        var uses: [String: CallerUse] = [:]
        var faults: [AuditFault] = []
        /// The ids of all keys that were ever seen as revoked. If a row later lacks its revocation, that is a fault and the key
        /// stays refused.
        var revoked: Set<String> = []
        var revision: Int64 = -1
    }

    private let store: any AccessStore
    private let feed: any ChangeFeed
    private let state = Mutex(State())
    private let look = SharedLook()

    package let topic = ChangeTopic.access
    package let complaint = "access keys cannot be read again"

    /// Holds no keys before the first refresh.
    package init(store: any AccessStore, feed: any ChangeFeed) {
        self.store = store
        self.feed = feed
    }

    /// The caller with this id; nil if there is none.
    package func caller(id: String) -> Caller? { state.withLock { $0.callers[id] } }

    /// One fault for each access key whose stored row disagrees with the audit log.
    ///
    /// The service refuses such a key.
    package var faults: [AuditFault] { state.withLock(\.faults) }

    /// The labels of access keys, by key id. A key is included if it is for one of these apps, or for every app.
    ///
    /// - Parameter apps: bundle ids; nil for every app.
    package func notes(for apps: Set<String>?) -> [String: String] {
        state.withLock(\.callers).filter { _, caller in
            guard let apps, let own = caller.apps else { return true }
            return !own.isDisjoint(with: apps)
        }.mapValues(\.note)
    }

    /// The last use of each key that was used since the previous call, by key id.
    func takeNewUses() -> [String: Instant] { state.withLock(\.uses).compactMapValues { $0.takeNew() } }

    /// Reads the keys again, because a request has brought a key that is not known here and may just have been made.
    ///
    /// Concurrent calls share one read.
    package func refreshForUnknownKey() async throws {
        try await look.share { [self] in try await refresh() }
    }

    /// Reads the keys again if anything has changed.
    package func refresh() async throws(StoreError) {
        try await follow(try await feed.revisions()[topic] ?? 0)
    }

    /// Reads the keys again unless this revision is loaded already.
    package func follow(_ revision: Int64) async throws(StoreError) {
        guard revision != state.withLock({ $0.revision }) else { return }
        let records = try await store.accessRecords()
        state.withLock { state in
            guard revision > state.revision else { return }
            // The rate and the last use of a caller stay when its key is read again.
            for record in records where state.rates[record.id] == nil {
                state.rates[record.id] = RateState()
                state.uses[record.id] = CallerUse()
            }
            state.revoked.formUnion(records.filter { $0.lifetime.revokedAt != nil }.map(\.id))
            let compared = records.map { record in
                guard record.fault == nil, record.lifetime.revokedAt == nil, state.revoked.contains(record.id) else {
                    return record
                }
                return record.with(AuditFault(.log, "the access key \(record.id) was revoked, and its revocation is gone"))
            }
            state.faults = compared.compactMap(\.fault)
            let callers = compared.filter { $0.fault == nil }.compactMap { record in
                Caller(record, rate: state.rates[record.id]!, use: state.uses[record.id]!)
            }
            state.callers = Dictionary(uniqueKeysWithValues: callers.map { ($0.id, $0) })
            state.revision = revision
        }
    }
}
