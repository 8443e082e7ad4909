import EligibilityRules
import OfferStore
import ServiceLifecycle
import Synchronization

/// Asks the App Store about the subscription of a request if the service knows nothing recent about it, or nothing at all.
///
/// The request is answered without waiting for the App Store. Each subscription is asked about once in an interval.
/// Notifications are not enough: none reports that a former subscriber may have a win-back offer, and some are missed.
package final class LapsedRefresher: Service {
    private struct Subscription: Sendable {
        /// The partition of its app.
        let partition: AppPartition
        let originalTransactionID: String
        let isUnconfirmed: Bool
    }

    private static let maxPending = 1000
    /// The interval for a subscription that may have been renewed, in ms.
    private static let unconfirmedInterval: Int64 = 3_600_000
    /// The time after which a question without an answer may be asked again, in ms.
    private static let pause: Int64 = 600_000

    private let refresh: HistoryRefresh
    private let apps: AppDirectory
    private let interval: Int64
    private let system: SystemEnvironment
    private let failures: FailureLog
    private let asked = Mutex<(lapsed: RecentlyAsked, unconfirmed: RecentlyAsked)>((RecentlyAsked(), RecentlyAsked()))
    private let pending: AsyncStream<Subscription>
    private let queue: AsyncStream<Subscription>.Continuation

    /// - Parameter interval: the time between two questions about one subscription, in ms.
    package init(refresh: HistoryRefresh, apps: AppDirectory, interval: Int64, system: SystemEnvironment, failures: FailureLog) {
        self.refresh = refresh
        self.apps = apps
        self.interval = interval
        self.system = system
        self.failures = failures
        (pending, queue) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.maxPending))
    }

    /// Queues a lapsed subscription for a question, unless something recent is known about it. Does not wait for the answer.
    func look(at status: SubscriptionStatus, of app: App, now: Instant) {
        guard status.state == .expired, let id = status.originalTransactionID else { return }
        guard status.environment != .local, refresh.serverAPIs[app.bundleID] != nil else { return }
        if !status.isRenewalUnconfirmed, let statedAt = status.statedAt, now.milliseconds(since: statedAt) < interval { return }
        ask(
            Subscription(partition: app.partition, originalTransactionID: id, isUnconfirmed: status.isRenewalUnconfirmed),
            at: now)
    }

    /// Queues a subscription about which nothing is known. Does not wait for the answer.
    ///
    /// - Parameter id: an `originalTransactionId` that the App Store itself has sent. An invented id would cause useless
    ///   questions.
    func look(atUnknown id: String, of app: App, now: Instant) {
        guard refresh.serverAPIs[app.bundleID] != nil else { return }
        ask(Subscription(partition: app.partition, originalTransactionID: id, isUnconfirmed: true), at: now)
    }

    private func ask(_ subscription: Subscription, at now: Instant) {
        // The app need not be part of the key, because no two apps have the same original transaction id.
        let id = subscription.originalTransactionID
        let isDue = asked.withLock { asked in
            subscription.isUnconfirmed
                ? asked.unconfirmed.note(id, at: now, notBefore: unconfirmedInterval)
                : asked.lapsed.note(id, at: now, notBefore: interval)
        }
        guard isDue, case .dropped = queue.yield(subscription) else { return }
        withdraw(subscription)
    }

    private var unconfirmedInterval: Int64 { min(interval, Self.unconfirmedInterval) }

    /// Marks a question that got no answer, so that it can be asked again before the interval is over.
    private func withdraw(_ subscription: Subscription) {
        let (id, now) = (subscription.originalTransactionID, system.now())
        asked.withLock { asked in
            if subscription.isUnconfirmed {
                asked.unconfirmed.withdraw(id, at: now, notBefore: unconfirmedInterval, again: Self.pause)
            } else {
                asked.lapsed.withdraw(id, at: now, notBefore: interval, again: Self.pause)
            }
        }
    }

    /// Queues the lapsed subscription in each subscription group of an assessment.
    func look(at assessment: Assessment, of app: App) {
        var last: String?
        for product in assessment.products where product.groupID != last {
            last = product.groupID
            look(at: product.subscription, of: app, now: assessment.asOf)
        }
    }

    /// Asks about the queued subscriptions until the service stops.
    package func run() async throws {
        await cancelWhenGracefulShutdown {
            for await subscription in self.pending { await self.ask(about: subscription) }
        }
    }

    private func ask(about subscription: Subscription) async {
        guard let app = apps.app(partition: subscription.partition) else { return }
        do {
            _ = try await refresh.refresh(
                transactionID: subscription.originalTransactionID, customerID: nil, app)
        } catch  where Task.isCancelled {
            return
        } catch HistoryError.refusedByAppStore(_, _, isFinal: true) {
            // The App Store does not know the subscription, so asking again later would not help.
            return
        } catch {
            withdraw(subscription)
            failures.note("a subscription could not be asked about", .of(error), app: app.bundleID)
        }
    }
}

/// The subscriptions that were asked about lately, in two halves, so that their number is bounded.
///
/// When the newer half is full, or after a pause, the newer half becomes the older one, and what the older one had is forgotten.
struct RecentlyAsked {
    private static let maxInHalf = 50_000

    private var newer: [ExactText: Instant] = [:]
    private var older: [ExactText: Instant] = [:]
    private var turnedAt = Instant(milliseconds: 0)

    /// Records a question about a subscription. Returns false if one was already asked in the last `pause` ms.
    mutating func note(_ id: String, at now: Instant, notBefore pause: Int64) -> Bool {
        if newer.count >= Self.maxInHalf || now < turnedAt || now.milliseconds(since: turnedAt) > pause {
            (older, newer, turnedAt) = (newer, [:], now)
        }
        let id = ExactText(id)
        if let last = newer[id] ?? older[id], now >= last, now.milliseconds(since: last) < pause { return false }
        newer[id] = now
        return true
    }

    /// Marks a question that got no answer. The same question may be asked again after `delay` ms.
    ///
    /// - Parameter pause: the same value as for `note`.
    mutating func withdraw(_ id: String, at now: Instant, notBefore pause: Int64, again delay: Int64) {
        newer[ExactText(id)] = now.advanced(by: min(delay, pause) - pause)
    }
}
