package import EligibilityRules
package import OfferStore
import ServiceLifecycle

/// Records how long the service has served, and deletes the data whose retention is over.
///
/// It deletes a slice at a time, so that signatures never wait long.
/// While the clock is not trusted, no time counts as served, so no data ages and none is deleted.
/// If there are several processes, only the one with the lease does this. Time in which several serve at once counts once.
package struct LedgerJanitor: Service {
    private static let slice = 500
    private static let leastRest = Duration.milliseconds(20)
    private static let longestRest = Duration.seconds(2)
    private static let restsPerSlice: Int64 = 4
    // With SQLite, deleting old reservations reads all of them, so this is done only in every 60th round. PostgreSQL has an index
    // for it.
    private static let roundsPerSweep = 60

    private let ledger: any Ledger
    private let histories: any HistoryStore
    private let lease: Lease?
    private let storagePeriods: RetentionPeriods
    private let interval: Duration
    private let now: @Sendable () -> Instant?
    private let system: SystemEnvironment
    private let failures: FailureLog

    /// - Parameters:
    ///   - turn: where this process gets a lease, and the name under which it holds one; nil if the store is in files, because
    ///     then only one process does this work.
    ///   - storagePeriods: how long everything is kept, in time served.
    ///   - interval: time between two rounds.
    ///   - now: the time; nil while the clock is not trusted.
    package init(
        ledger: any Ledger,
        histories: any HistoryStore,
        turn: (leases: any LeaseStore, holder: String)? = nil,
        storagePeriods: RetentionPeriods,
        interval: Duration = .seconds(60),
        now: @escaping @Sendable () -> Instant?,
        system: SystemEnvironment,
        failures: FailureLog
    ) {
        self.ledger = ledger
        self.histories = histories
        // The lease is longer than two intervals, so that this process keeps it from one round to the next.
        lease = turn.map {
            Lease(
                $0.leases, "retention", holder: $0.holder, milliseconds: 3 * interval.components.seconds * 1000,
                uptime: system.uptime)
        }
        self.storagePeriods = storagePeriods
        self.interval = interval
        self.now = now
        self.system = system
        self.failures = failures
    }

    /// Cleans up every interval until the service stops.
    package func run() async throws {
        let start = system.uptime()
        let last = await system.rounds((start: Int64?(start), round: 0, isBehind: false)) { state in
            let now = system.uptime()
            // If this process has lost the lease, another process may have counted this time already.
            if let lease, !lease.isHeld { state.start = nil }
            let hasTurn = await holdTurn()
            if hasTurn {
                let served = state.start.map { maxServed(since: $0, until: now) } ?? 0
                let forgets = lease != nil || state.round % Self.roundsPerSweep == 0
                state.isBehind = await !cleanOnce(served: served, forgetsReservations: forgets, isBehind: state.isBehind)
                state.round += 1
            }
            state.start = hasTurn ? now : nil
            return hasTurn && state.isBehind ? Self.leastRest : interval
        }.start
        guard let last else { return }
        // This records when the service was last alive, so that the next start knows it.
        await note(served: maxServed(since: last, until: system.uptime()))
        try? await lease?.release()
    }

    private func holdTurn() async -> Bool {
        guard let lease else { return true }
        do { return try await lease.hold() } catch {
            report(error)
            return false
        }
    }

    // Limited to two intervals. The time since boot also runs while the machine sleeps, and the service serves nothing then.
    private func maxServed(since start: Int64, until end: Int64) -> Int64 {
        min(max(0, end - start), 2 * (interval.components.seconds * 1000))
    }

    /// Deletes what is due, slice after slice.
    ///
    /// Each kind of rows gets a quarter of the interval at most.
    ///
    /// - Parameters:
    ///   - milliseconds: the time served since the last round.
    ///   - forgetsReservations: whether to delete also the reservations that are no longer outstanding. This may read all
    ///     reservations.
    ///   - isBehind: whether the last round has left something to delete. In that case this round rests less.
    /// - Returns: whether all that was due is deleted.
    @discardableResult
    func cleanOnce(
        served milliseconds: Int64,
        forgetsReservations: Bool = true,
        isBehind: Bool = false
    ) async -> Bool {
        guard let total = await note(served: milliseconds) else { return true }
        let (now, age) = (now(), storagePeriods.ledger)
        var works: [(_ limit: Int) async throws -> Int] = [
            { _ in
                try await ledger.prepareDays(keeping: age)
                return 0
            },
            { try await ledger.prune(servedSince: age, limit: $0) },
            { try await ledger.pruneRefusals(servedSince: age, limit: $0) },
            { try await ledger.pruneAnswers(servedSince: IdempotencyRecord.lifetime, limit: $0) },
            { try await histories.blankNotifications(servedSince: storagePeriods.notifications, of: total, limit: $0) },
        ]
        if forgetsReservations, let now { works.append { try await ledger.pruneReservations(now: now, limit: $0) } }
        var isDone = true
        for work in works where !Task.isCancelled {
            // If one kind of rows cannot be deleted, the other kinds still are.
            do { if try await !inSlices(isBehind: isBehind, work) { isDone = false } } catch { report(error) }
        }
        return isDone
    }

    /// - Parameter work: processes up to `limit` rows. Returns the number processed.
    /// - Returns: whether nothing is left.
    private func inSlices(isBehind: Bool, _ work: (_ limit: Int) async throws -> Int) async throws -> Bool {
        var start = system.uptime()
        let end = start + interval.components.seconds * 1000 / 4
        while try await work(Self.slice) >= Self.slice {
            let now = system.uptime()
            guard now < end else { return false }
            // A signature may have had to wait for the whole deletion, so the rest is several times as long as the deletion.
            let rest = isBehind ? .zero : Duration.milliseconds((now - start) * Self.restsPerSlice)
            try await system.sleep(min(max(rest, Self.leastRest), Self.longestRest))
            start = system.uptime()
        }
        return true
    }

    @discardableResult
    private func note(served milliseconds: Int64) async -> Int64? {
        guard let now = now() else { return nil }
        do {
            return try await ledger.served(milliseconds, at: now)
        } catch {
            report(error)
            return nil
        }
    }

    private func report(_ error: any Error) {
        if !Task.isCancelled { failures.note("retention could not be applied", .of(error)) }
    }
}

/// The retention periods in ms of time served: how long signatures with their nonces, refusals and notifications are kept.
package struct RetentionPeriods: Sendable {
    /// For refusals and for signatures with their nonces; at least 25 hours, because a signature is valid for 24 hours.
    package let ledger: Int64
    /// For the content of notifications; at least 25 hours.
    package let notifications: Int64

    /// A period of less than 25 hours becomes 25 hours.
    package init(ledger: Int64, notifications: Int64) {
        self.ledger = max(ledger, 25 * 3600 * 1000)
        self.notifications = max(notifications, 25 * 3600 * 1000)
    }
}
