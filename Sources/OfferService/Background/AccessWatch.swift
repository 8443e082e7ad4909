package import EligibilityRules
package import OfferStore
import ServiceLifecycle

/// Records in the audit log, once for each access key, that the key expires within a week.
package struct AccessWatch: Service {
    private static let notice: Int64 = 7 * 24 * 3_600_000
    private static let progressName = "access-expiry"

    private let store: any AccessStore
    private let audit: any AuditStore
    private let progress: any ProgressStore
    private let lease: Lease?
    private let interval: Duration
    private let now: @Sendable () -> Instant?
    private let system: SystemEnvironment
    private let failures: FailureLog

    /// - Parameters:
    ///   - progress: remembers the keys whose expiry was recorded.
    ///   - turn: where this process gets a lease, and the name under which it holds one; nil if the store is in files, because
    ///     then only one process does this work.
    ///   - interval: time between two looks.
    ///   - now: the time; nil while the clock is not trusted, and then nothing is recorded.
    package init(
        store: any AccessStore,
        audit: any AuditStore,
        progress: any ProgressStore,
        turn: (leases: any LeaseStore, holder: String)? = nil,
        interval: Duration = .seconds(3600),
        now: @escaping @Sendable () -> Instant?,
        system: SystemEnvironment,
        failures: FailureLog
    ) {
        self.store = store
        self.audit = audit
        self.progress = progress
        // The lease is longer than two intervals, so that this process keeps it from one look to the next.
        lease = turn.map {
            Lease(
                $0.leases, "access-expiry", holder: $0.holder, milliseconds: 3 * interval.components.seconds * 1000,
                uptime: system.uptime)
        }
        self.interval = interval
        self.now = now
        self.system = system
        self.failures = failures
    }

    /// Looks for keys that expire, every interval until the service stops.
    package func run() async throws {
        await system.rounds {
            await lookOnce()
            return interval
        }
        try? await lease?.release()
    }

    /// Records every key that expires within a week and was not recorded yet.
    func lookOnce() async {
        guard let now = now() else { return }
        do throws(StoreError) {
            if let lease, try await !lease.hold() { return }
            let expiring = try await store.accessRecords().filter { record in
                guard record.lifetime.revokedAt == nil, let expiry = record.lifetime.expiresAt else { return false }
                return expiry > now && expiry <= now.advanced(by: Self.notice)
            }
            let recorded = Set(try await progress.progress(Self.progressName)?.split(separator: " ") ?? [])
            let events = expiring.filter { !recorded.contains($0.id[...]) }.map { record in
                Origin.service.event(
                    .expireAccess, at: now, object: AuditObject(record.id, after: "\(record.lifetime.expiresAt!.milliseconds)"))
            }
            // If this process has lost the lease, another process may have recorded these events already.
            guard !events.isEmpty, lease?.isHeld ?? true else { return }
            try await audit.record(events)
            // The list leaves out keys that have expired. A key's expiry never changes, so none of them needs a second event.
            try await progress.setProgress(Self.progressName, to: expiring.map(\.id).joined(separator: " "))
        } catch {
            if !Task.isCancelled { failures.note("access keys that expire could not be looked for", .of(error)) }
        }
    }
}
