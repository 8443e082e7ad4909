package import EligibilityRules
package import OfferStore
import ServiceLifecycle

/// Collects events every second, in slices, as long as the service runs.
///
/// If there are several processes, only the one with the lease collects. If no endpoints are configured, it passes over all rows
/// without making events. An endpoint that is configured later therefore receives no events about these rows.
package struct EventCollection: Service {
    private static let slice = 500
    private static let interval = Duration.seconds(1)

    private let store: any EventStore
    private let subscriptions: [EventSubscription]
    private let lease: Lease?
    private let keep: Int64
    private let now: @Sendable () -> Instant?
    private let system: SystemEnvironment
    private let failures: FailureLog

    /// - Parameters:
    ///   - subscriptions: what each endpoint wants to receive; empty if no endpoints are configured.
    ///   - keep: how long deliveries are kept if no endpoints are configured any more, in ms.
    ///   - now: the time; nil while the clock is not trusted. Then no events are collected.
    ///   - turn: where this process gets a lease, and the name under which it holds one; nil if the store is in files, because
    ///     then only one process does this work.
    package init(
        store: any EventStore,
        subscriptions: [EventSubscription],
        keep: Int64,
        now: @escaping @Sendable () -> Instant?,
        turn: (leases: any LeaseStore, holder: String)? = nil,
        system: SystemEnvironment,
        failures: FailureLog
    ) {
        self.store = store
        self.subscriptions = subscriptions
        lease = turn.map { Lease($0.leases, "event-collection", holder: $0.holder, uptime: system.uptime) }
        self.keep = keep
        self.now = now
        self.system = system
        self.failures = failures
    }

    /// Collects every second until the service stops.
    package func run() async throws {
        await system.rounds {
            await collectOnce()
            if subscriptions.isEmpty { await prune() }
            return subscriptions.isEmpty ? .seconds(3600) : Self.interval
        }
        try? await lease?.release()
    }

    /// Makes the first collection.
    ///
    /// It must be made before the first request is answered, because only rows that come after it make events.
    package func begin() async { _ = await collectSlice() }

    /// Makes events from all rows that were written since the last round.
    func collectOnce() async {
        while !Task.isCancelled, await collectSlice() {
            // Signatures wait for the same writer, so they have their turn here.
            try? await system.sleep(.milliseconds(20))
        }
    }

    /// Deletes the deliveries that are left from an earlier configuration with endpoints.
    private func prune() async {
        do throws(StoreError) {
            while let end = now()?.advanced(by: -keep),
                try await store.prune(before: end, keeping: [], limit: Self.slice) >= Self.slice
            {}
        } catch {
            if !Task.isCancelled { failures.note("old events could not be deleted", .of(error)) }
        }
    }

    /// Makes events from one slice of rows. Returns whether there may be more rows.
    private func collectSlice() async -> Bool {
        guard let now = now() else { return false }
        do throws(StoreError) {
            if let lease, try await !lease.hold() { return false }
            return try await store.collect(limit: Self.slice, for: subscriptions, now: now, EventCollector.events) >= Self.slice
        } catch {
            if !Task.isCancelled { failures.note("events could not be collected", .of(error)) }
            return false
        }
    }
}
