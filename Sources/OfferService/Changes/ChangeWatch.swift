package import OfferStore
import ServiceLifecycle

/// Refreshes snapshots when the feed reports a change: a change takes effect within a quarter of a second.
///
/// It reads the feed once per tick, however many snapshots follow.
package struct ChangeWatch: Service {
    private let feed: any ChangeFeed
    private let followers: [any ChangeFollower]
    private let interval: Duration
    private let system: SystemEnvironment
    private let failures: FailureLog

    /// - Parameter interval: time between two looks.
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
    }

    /// Looks until the service stops.
    package func run() async throws {
        await cancelWhenGracefulShutdown {
            while (try? await system.sleep(interval)) != nil { await lookOnce() }
        }
    }

    /// Looks once. A follower that fails does not keep the others from following.
    func lookOnce() async {
        do {
            let revisions = try await feed.revisions()
            for follower in followers {
                do {
                    try await follower.follow(revisions[follower.topic] ?? 0)
                } catch {
                    report(follower.complaint, error)
                }
            }
        } catch {
            report("what has changed in the store cannot be read", error)
        }
    }

    private func report(_ complaint: String, _ error: any Error) {
        if !Task.isCancelled { failures.note(complaint, .of(error)) }
    }
}
