package import OfferStore
import ServiceLifecycle
import Synchronization

/// Refreshes snapshots when the feed reports a change, so that a change takes effect within a quarter of a second.
///
/// It reads the feed once per tick for all snapshots together. A process that was frozen or is cut off from its store misses
/// ticks, and its snapshots are then out of date. It must not answer from such snapshots, so each request calls `catchUp` before
/// it reads one.
package final class ChangeWatch: Service {
    /// The snapshots count as current if the last look began no longer ago than this, in ms.
    ///
    /// This is longer than a tick, because some ticks come late.
    private static let patience: Int64 = 1000

    private let feed: any ChangeFeed
    private let followers: [any ChangeFollower]
    private let interval: Duration
    private let system: SystemEnvironment
    private let failures: FailureLog
    /// When the last look that succeeded began, in ms since boot.
    private let lookedAt: Atomic<Int64>
    private let shared = SharedLook()

    /// - Parameters:
    ///   - followers: the snapshots to refresh, which have just been read.
    ///   - interval: time between two looks.
    package init(
        feed: any ChangeFeed,
        followers: [any ChangeFollower],
        interval: Duration = .milliseconds(250),
        system: SystemEnvironment,
        failures: FailureLog
    ) {
        self.feed = feed
        self.followers = followers
        self.interval = interval
        self.system = system
        self.failures = failures
        lookedAt = Atomic(system.uptime())
    }

    /// Looks every interval until the service stops.
    package func run() async throws {
        await system.rounds(after: interval) { [self] in try? await lookOnce() }
    }

    /// Whether the snapshots were compared with the store lately.
    package var isCurrent: Bool { system.uptime() - lookedAt.load(ordering: .relaxed) <= Self.patience }

    /// Returns at once if the snapshots are current. Otherwise it waits for a look that begins now and that concurrent calls
    /// share.
    ///
    /// Throws if the store cannot be asked.
    package func catchUp() async throws {
        guard !isCurrent else { return }
        try await shared.share { [self] in try await lookOnce() }
    }

    /// Reads the feed once. If one follower fails, the others still follow. Throws if the store cannot be read.
    func lookOnce() async throws {
        let start = system.uptime()
        var outage: StoreError?
        do {
            let revisions = try await feed.revisions()
            for follower in followers {
                do {
                    try await follower.follow(revisions[follower.topic] ?? 0)
                } catch {
                    report(follower.complaint, error)
                    // A damaged record is no outage. The snapshot leaves it out, and the readiness check names it.
                    if let error = error as? StoreError, error.code != .damaged { outage = error }
                }
            }
        } catch {
            report("what has changed in the store cannot be read", error)
            throw error
        }
        if let outage { throw outage }
        lookedAt.store(start, ordering: .relaxed)
    }

    private func report(_ complaint: String, _ error: any Error) {
        if !Task.isCancelled { failures.note(complaint, .of(error)) }
    }
}

/// A snapshot in memory of something that may change in the store.
package protocol ChangeFollower: Sendable {
    /// The topic under which the feed reports changes of the snapshot.
    var topic: ChangeTopic { get }
    /// What operators read in the log if the snapshot cannot be read again.
    var complaint: String { get }

    /// Reads the snapshot again, unless it has this revision already. If that fails, the present snapshot stays in force.
    func follow(_ revision: Int64) async throws
}

/// A look at what has changed, shared by all calls that come before it begins.
final class SharedLook: Sendable {
    private struct State {
        var last = ContinuousClock.now
        /// A look that calls wait for and that has not begun yet.
        var next: Task<Void, any Error>?
    }

    /// The minimum time between two looks.
    private static let minGap = Duration.milliseconds(20)

    private let state = Mutex(State())

    /// Waits for a look that begins after this call.
    func share(_ look: @escaping @Sendable () async throws -> Void) async throws {
        let task = state.withLock { state in
            if let next = state.next { return next }
            let start = state.last + Self.minGap
            let task = Task {
                try await Task.sleep(until: start, clock: .continuous)
                self.state.withLock { state in
                    state.next = nil
                    state.last = .now
                }
                try await look()
            }
            state.next = task
            return task
        }
        try await task.value
    }
}
