import EligibilityRules
import Logging
import OfferSigning
package import OfferStore
import ServiceLifecycle
import Synchronization

/// Asks the App Store about kept receipts: those of apps that have no Server API, to learn about their subscriptions, and those
/// that were never verified.
///
/// The store knows when each receipt is due. A process first moves that time into the future and then asks, so that no other
/// process asks as well. If the process crashes before the answer, the receipt is due again at that later time.
package final class ReceiptPoller: Service {
    /// What operators should know about the kept receipts.
    package struct Status: Equatable, Sendable {
        package var counts: [ReceiptCount] = []
        /// The bundle ids of the apps whose shared secret is refused by verifyReceipt.
        package var refusedSecrets: Set<String> = []
        /// The number of kept receipts that cannot be read, because the secret that they were sealed with is not in the key
        /// folder.
        package var unreadable = 0
    }

    private struct State {
        var status = Status()
        /// When an app whose shared secret was refused is tried again.
        var secretPauses: [String: Instant] = [:]
        var countedAt: Instant?
        /// The headers of the secrets that were known when unreadable receipts were last counted; nil before the first count.
        var headers: Set<[UInt8]>?
        var headersCountedAt: Instant?
        var prunedAt: Instant?
    }

    private static let maxPerRound = 400
    private static let countInterval: Int64 = 60_000
    private static let pruneInterval: Int64 = 3_600_000
    /// How long receipts that were never verified are kept, in ms.
    private static let unverifiedLifetime: Int64 = 30 * 24 * 3_600_000

    private let apps: AppDirectory
    private let polling: ReceiptPolling
    private let interval: Duration
    private let environment: RoundEnvironment
    private let state = Mutex(State())

    /// - Parameter interval: the time between two rounds.
    package init(apps: AppDirectory, polling: ReceiptPolling, interval: Duration, environment: RoundEnvironment) {
        self.apps = apps
        self.polling = polling
        self.interval = interval
        self.environment = environment
    }

    /// The state of the kept receipts, as of the last minute.
    package var status: Status { state.withLock(\.status) }

    /// Polls every interval until the service stops.
    package func run() async throws {
        await environment.system.rounds { [self] in
            await pollOnce()
            return interval
        }
    }

    /// Asks once about every receipt that is due, as far as the App Store permits.
    func pollOnce() async {
        polling.keeper.vault.follow()
        do {
            var isComplete = true
            for app in apps.partitions where app.isPolledByReceipt {
                if try await poll(app) == .putOff { isComplete = false }
            }
            try await lookAfter()
            if isComplete { environment.rounds.note(.receiptPoll) }
        } catch  where Task.isCancelled {
            return
        } catch {
            environment.failures.note("polling with receipts was cut short", .of(error))
        }
    }

    private func poll(_ app: App) async throws -> ClaimRound<ReceiptRecord>.End {
        if let pause = state.withLock({ $0.secretPauses[app.bundleID] }), environment.system.now() < pause { return .putOff }
        return try await ClaimRound<ReceiptRecord>(uptime: environment.system.uptime) { [polling, environment] limit in
            let now = environment.system.now()
            return try await polling.store.claim(
                partition: app.partition, dueAt: now, until: now.advanced(by: ClaimRound<ReceiptRecord>.claimTime), limit: limit)
        } ask: { [self] in
            try await ask(about: $0, app)
        } release: { [polling, environment] record in
            let asBefore = ReceiptFailure(reason: record.reason, failures: record.failures, dueAt: environment.system.now())
            try await polling.store.note(asBefore, of: record)
        }.run(limit: Self.maxPerRound)
    }

    private func ask(about record: ReceiptRecord, _ app: App) async throws -> Bool {
        let outcome = try await polling.ask(about: record, app)
        switch outcome {
        case .done: return true
        case .verified:
            noteSecret(ofApp: app.bundleID, isRefused: false)
            return true
        case .unreadable:
            environment.failures.note(
                "kept receipts cannot be read",
                Failure(
                    .keys, ReceiptPolling.unreadable,
                    "the secret that they were sealed with is not in the key folder, or they were changed; restore "
                        + "ReceiptSecret_<number>.key, or wait: new receipts take their place"),
                app: app.bundleID)
            return true
        case .putOff(let reason):
            environment.failures.note(
                "polling with receipts is put off", Failure(.appStore, reason, "verifyReceipt gives no answer"),
                app: app.bundleID)
            return false
        case .secretRefused:
            noteSecret(ofApp: app.bundleID, isRefused: true)
            return false
        }
    }

    /// Records whether verifyReceipt has refused an app's shared secret.
    ///
    /// A change is logged once, not once for each receipt.
    private func noteSecret(ofApp bundleID: String, isRefused: Bool) {
        let now = environment.system.now()
        let isNew = state.withLock { state in
            state.secretPauses[bundleID] = isRefused ? now.advanced(by: ReceiptCheckResult.secretPause) : nil
            return isRefused
                ? state.status.refusedSecrets.insert(bundleID).inserted
                : state.status.refusedSecrets.remove(bundleID) != nil
        }
        guard isNew else { return }
        if isRefused {
            environment.failures.note(
                "the shared secret of an app is refused; none of its receipts is asked about",
                Failure(
                    .keys, "receipt-status-21004",
                    "set sharedSecret of the app to the one that App Store Connect shows, and restart the service"),
                app: bundleID)
        } else {
            environment.logger.notice("the shared secret of an app is accepted again", metadata: ["app": "\(bundleID)"])
        }
    }

    /// Counts the kept receipts that cannot be read, because their secret is not in the key folder.
    ///
    /// It counts at the start, whenever the secrets change, and once an hour as long as there are such receipts.
    /// Without the count a missing secret could remain unnoticed for weeks, until one of its receipts is due for polling.
    private func countUnreadable(at now: Instant) async throws {
        let headers = polling.keeper.vault.headers
        let before = state.withLock { $0 }
        let isOld = before.headersCountedAt.map { now < $0 || now.milliseconds(since: $0) >= Self.pruneInterval } ?? true
        guard headers != before.headers || (isOld && before.status.unreadable > 0) else { return }
        let counts = try await polling.store.counts(byPrefix: SealingKey.headerLength)
        let unreadable = counts.reduce(0) { headers.contains($1.key) ? $0 : $0 + $1.value }
        state.withLock { state in
            (state.headers, state.headersCountedAt, state.status.unreadable) = (headers, now, unreadable)
        }
        if unreadable > 0, unreadable > before.status.unreadable {
            environment.logger.error(
                "the secret of kept receipts is not in the key folder; restore ReceiptSecret_<number>.key",
                metadata: ["receipts": "\(unreadable)"])
        } else if unreadable == 0, before.status.unreadable > 0 {
            environment.logger.notice("every kept receipt can be read again")
        }
    }

    /// Counts the kept receipts once a minute. Once an hour it removes those that were never verified and are too old.
    private func lookAfter() async throws {
        let now = environment.system.now()
        func isDue(_ last: Instant?, _ interval: Int64) -> Bool {
            last.map { now < $0 || now.milliseconds(since: $0) >= interval } ?? true
        }
        let (lastCount, lastPrune) = state.withLock { ($0.countedAt, $0.prunedAt) }
        if isDue(lastPrune, Self.pruneInterval) {
            let end = now.advanced(by: -Self.unverifiedLifetime)
            while try await polling.store.pruneUnverified(before: end, limit: 500) == 500 {
                try await environment.system.sleep(.milliseconds(20))
            }
            state.withLock { $0.prunedAt = now }
        }
        try await countUnreadable(at: now)
        if isDue(lastCount, Self.countInterval) {
            let counts = try await polling.store.counts()
            state.withLock { state in
                state.status.counts = counts
                state.countedAt = now
            }
        }
    }
}
