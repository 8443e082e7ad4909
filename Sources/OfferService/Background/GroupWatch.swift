import EligibilityRules
package import OfferStore
import ServiceLifecycle

/// Takes over the subscription groups that other processes, such as an import, have seen.
package struct GroupWatch: Service {
    package let apps: AppDirectory
    package let histories: any HistoryStore
    package let observer: any HistoryObserver
    let interval: Duration
    package let system: SystemEnvironment
    package let failures: FailureLog

    package init(
        apps: AppDirectory,
        histories: any HistoryStore,
        observer: any HistoryObserver,
        interval: Duration,
        system: SystemEnvironment,
        failures: FailureLog
    ) {
        self.apps = apps
        self.histories = histories
        self.observer = observer
        self.interval = interval
        self.system = system
        self.failures = failures
    }

    /// Takes over new groups every interval until the service stops.
    package func run() async throws {
        await system.rounds {
            await lookOnce()
            return interval
        }
    }

    /// Takes over the new groups of every app once.
    package func lookOnce() async { await look(at: apps.partitions) }

    /// Takes over the new groups of these apps, which need not be in force yet.
    package func look(at apps: [App]) async {
        do {
            for app in apps {
                for difference in app.groups.note(try await histories.seenGroups(partition: app.partition)) {
                    observer.didFindDifference(difference, bundleID: app.bundleID)
                }
            }
        } catch  where Task.isCancelled {
            return
        } catch {
            failures.note("the subscription groups in the store could not be read", .of(error))
        }
    }
}
