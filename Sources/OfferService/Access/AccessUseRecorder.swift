package import OfferStore
import ServiceLifecycle

/// Records periodically when access keys were last used. Requests themselves write nothing for this.
package struct AccessUseRecorder: Service {
    private let directory: AccessDirectory
    private let store: any AccessStore
    private let interval: Duration
    private let system: SystemEnvironment
    private let failures: FailureLog

    /// - Parameter interval: the time between two writes.
    package init(
        directory: AccessDirectory,
        store: any AccessStore,
        interval: Duration = .seconds(15),
        system: SystemEnvironment,
        failures: FailureLog
    ) {
        self.directory = directory
        self.store = store
        self.interval = interval
        self.system = system
        self.failures = failures
    }

    /// Writes the uses every interval until the service stops, and then once more.
    package func run() async throws {
        await system.rounds(after: interval) { await writeOnce() }
        await writeOnce()
    }

    /// Writes the last use of each key that was used since the previous write.
    func writeOnce() async {
        let uses = directory.takeNewUses()
        guard !uses.isEmpty else { return }
        do {
            try await store.noteUse(uses)
        } catch {
            failures.note("the use of access keys cannot be noted", .of(error))
        }
    }
}
