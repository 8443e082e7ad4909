package import EligibilityRules
package import OfferStore
import ServiceLifecycle

/// Notes how long the service has served, and deletes what has outlived its retention, a slice at a time so that signing never waits long.
///
/// While the clock is not trusted nothing is served, nothing ages, and nothing is deleted.
package struct LedgerJanitor: Service {
    private static let slice = 500
    private static let roundsPerSweep = 60

    private let ledger: any Ledger
    /// Milliseconds.
    private let retention: Int64
    private let interval: Duration
    private let now: @Sendable () -> Instant?
    private let system: SystemEnvironment
    private let failures: FailureLog

    /// - Parameters:
    ///   - retention: how long ledger rows are kept, in ms of time served; never below 25 hours.
    ///   - interval: time between two rounds.
    ///   - now: the time; nil if the clock is not trusted.
    package init(
        ledger: any Ledger,
        retention: Int64,
        interval: Duration = .seconds(60),
        now: @escaping @Sendable () -> Instant?,
        system: SystemEnvironment,
        failures: FailureLog
    ) {
        self.ledger = ledger
        self.retention = max(retention, 25 * 3600 * 1000)
        self.interval = interval
        self.now = now
        self.system = system
        self.failures = failures
    }

    /// Cleans up every interval until the service stops.
    package func run() async throws {
        let start = system.uptime()
        let last = await cancelWhenGracefulShutdown {
            var last = start
            var round = 0
            while !Task.isCancelled {
                let now = system.uptime()
                await cleanOnce(served: maxServed(since: last, until: now), forgetsReservations: round % Self.roundsPerSweep == 0)
                round += 1
                last = now
                try? await system.sleep(interval)
            }
            return last
        }
        // So that the next start knows when this one was alive.
        await note(served: maxServed(since: last, until: system.uptime()))
    }

    // A machine that slept has not served.
    private func maxServed(since start: Int64, until end: Int64) -> Int64 {
        min(max(0, end - start), 2 * (interval.components.seconds * 1000))
    }

    /// One round: everything that is due, slice after slice.
    ///
    /// - Parameters:
    ///   - milliseconds: how long the service has served since the last.
    ///   - forgetsReservations: whether to look for what is no longer outstanding; the look goes over all that is counted.
    func cleanOnce(served milliseconds: Int64, forgetsReservations: Bool = true) async {
        guard await note(served: milliseconds) else { return }
        do {
            while try await ledger.prune(servedSince: retention, limit: LedgerJanitor.slice) == LedgerJanitor.slice {
                try await system.sleep(.milliseconds(20))
            }
            while try await ledger.pruneRefusals(servedSince: retention, limit: LedgerJanitor.slice) == LedgerJanitor.slice {
                try await system.sleep(.milliseconds(20))
            }
            if forgetsReservations { try await forgetReservations() }
            let lifetime = IdempotencyRecord.lifetime
            while try await ledger.pruneAnswers(servedSince: lifetime, limit: LedgerJanitor.slice) == LedgerJanitor.slice {
                try await system.sleep(.milliseconds(20))
            }
        } catch {
            tell(error)
        }
    }

    private func forgetReservations() async throws {
        guard let now = now() else { return }
        while try await ledger.pruneReservations(now: now, limit: LedgerJanitor.slice) >= LedgerJanitor.slice {
            try await system.sleep(.milliseconds(20))
        }
    }

    @discardableResult
    private func note(served milliseconds: Int64) async -> Bool {
        guard let now = now() else { return false }
        do {
            try await ledger.served(milliseconds, at: now)
            return true
        } catch {
            tell(error)
            return false
        }
    }

    private func tell(_ error: any Error) {
        if !Task.isCancelled { failures.note("retention could not be applied", .of(error)) }
    }
}
