package import OfferStore
import ServiceLifecycle

/// Collects events each second, in slices, for as long as the service runs.
///
/// Of several processes, the one with the lease collects. Without endpoints, what has come in so far makes no events, ever.
package struct EventCollection: Service {
    private static let slice = 500
    private static let interval = Duration.seconds(1)

    private let store: any EventStore
    private let subscriptions: [EventSubscription]
    private let lease: Lease?
    private let system: SystemEnvironment
    private let failures: FailureLog

    /// - Parameters:
    ///   - subscriptions: the endpoints; may be empty.
    ///   - turn: the leases, and the name of this process as a holder; nil if there is only one process.
    package init(
        store: any EventStore,
        subscriptions: [EventSubscription],
        turn: (leases: any LeaseStore, holder: String)? = nil,
        system: SystemEnvironment,
        failures: FailureLog
    ) {
        self.store = store
        self.subscriptions = subscriptions
        lease = turn.map { Lease($0.leases, "event-collection", holder: $0.holder) }
        self.system = system
        self.failures = failures
    }

    /// Collects until the service stops.
    package func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                await collectOnce()
                try? await system.sleep(subscriptions.isEmpty ? .seconds(3600) : Self.interval)
            }
        }
        try? await lease?.release()
    }

    /// One round: everything that has come in since the last one.
    func collectOnce() async {
        do throws(StoreError) {
            var isBehind = true
            while isBehind, !Task.isCancelled {
                if let lease, try await !lease.hold() { return }
                isBehind =
                    try await store.collect(limit: Self.slice, for: subscriptions, now: system.now(), EventCollector.events)
                    >= Self.slice
            }
        } catch {
            if !Task.isCancelled { failures.note("events could not be collected", .of(error)) }
        }
    }
}
