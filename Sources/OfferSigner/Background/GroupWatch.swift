import EligibilityRules
import OfferStore
import ServiceLifecycle

/// Takes over the subscription groups that other processes, such as an import, have seen.
struct GroupWatch: Service {
    let apps: AppDirectory
    let histories: any HistoryStore
    let observer: any HistoryObserver
    let interval: Duration
    let failures: FailureLog

    /// Looks every interval until the service stops.
    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                await lookOnce()
                try? await Task.sleep(for: interval)
            }
        }
    }

    /// One look at every app.
    func lookOnce() async {
        do {
            for app in apps.all {
                for difference in app.groups.note(try await histories.seenGroups(bundleID: app.bundleID)) {
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
