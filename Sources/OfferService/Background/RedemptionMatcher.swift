package import OfferStore
import ServiceLifecycle

/// Ties redeemed offers to their signatures in the background, and counts them towards limits.
package struct RedemptionMatcher: Service {
    // The slices are small, because signatures wait while one is written.
    private static let slice = 20
    // This slice is large, because the store reads the whole subscriptions in it, some of which have thousands of redemptions.
    // The redemptions are then written in smaller parts.
    private static let countedSlice = 2000

    package let redemptions: any RedemptionStore
    let counter: RedemptionCounter?
    let interval: Duration
    package let system: SystemEnvironment
    package let failures: FailureLog

    package init(
        redemptions: any RedemptionStore,
        counter: RedemptionCounter? = nil,
        interval: Duration,
        system: SystemEnvironment,
        failures: FailureLog
    ) {
        self.counter = counter
        self.redemptions = redemptions
        self.interval = interval
        self.system = system
        self.failures = failures
    }

    /// Ties and counts redemptions every interval until the service stops.
    package func run() async throws {
        await system.rounds {
            await matchOnce()
            return interval
        }
    }

    /// Ties and counts all redemptions that have come in since the last round.
    func matchOnce() async {
        do {
            while try await redemptions.tieRedemptions(limit: Self.slice, now: system.now()).examined == Self.slice {
                try await system.sleep(.milliseconds(20))
            }
            while try await counter?.count(limit: Self.countedSlice) == Self.countedSlice {
                try await system.sleep(.milliseconds(20))
            }
        } catch  where Task.isCancelled {
            return
        } catch {
            failures.note("redemptions could not be tied to signatures", .of(error))
        }
    }
}
