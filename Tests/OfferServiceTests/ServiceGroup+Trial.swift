import Logging
import ServiceLifecycle

extension ServiceGroup {
    /// Runs a service while a test looks on; then stops it as SIGTERM does, and waits until it has ended.
    static func serving(_ service: any Service, while test: () async throws -> Void) async throws {
        let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        let group = ServiceGroup(configuration: ServiceGroupConfiguration(services: [service], logger: logger))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            try await test()
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }
}
