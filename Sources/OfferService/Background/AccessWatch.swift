import EligibilityRules
package import OfferStore
import ServiceLifecycle

/// Records in the audit log that an access key expires within a week, once.
package struct AccessWatch: Service {
    private static let notice: Int64 = 7 * 24 * 3_600_000
    private static let progressName = "access-expiry"

    private let store: any AccessStore
    private let audit: any AuditStore
    private let progress: any ProgressStore
    private let interval: Duration
    private let system: SystemEnvironment
    private let failures: FailureLog

    /// - Parameters:
    ///   - progress: keeps the latest expiry that was recorded.
    ///   - interval: time between two looks.
    package init(
        store: any AccessStore,
        audit: any AuditStore,
        progress: any ProgressStore,
        interval: Duration = .seconds(3600),
        system: SystemEnvironment,
        failures: FailureLog
    ) {
        self.store = store
        self.audit = audit
        self.progress = progress
        self.interval = interval
        self.system = system
        self.failures = failures
    }

    /// Looks every interval until the service stops.
    package func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                await lookOnce()
                try? await system.sleep(interval)
            }
        }
    }

    /// Looks once.
    func lookOnce() async {
        do throws(StoreError) {
            let now = system.now()
            let end = now.advanced(by: Self.notice)
            let start = max(now, try await progress.progress(Self.progressName).flatMap { Int64($0) }.map(Instant.init) ?? now)
            guard start < end else { return }
            let events = try await store.accessRecords().compactMap { record -> AuditEvent? in
                guard record.revokedAt == nil, let expiry = record.expiresAt, expiry > start, expiry <= end else { return nil }
                return Origin.service.event(.expireAccess, at: now, subject: record.id, after: "\(expiry.milliseconds)")
            }
            if !events.isEmpty { try await audit.record(events) }
            try await progress.setProgress(Self.progressName, to: "\(end.milliseconds)")
        } catch {
            if !Task.isCancelled { failures.note("access keys that expire could not be looked for", .of(error)) }
        }
    }
}
