import ArgumentParser
import OfferService
import OfferStore

/// The common part of the commands about a customer.
struct CustomerTools {
    let app: App
    private let desk: CustomerDesk
    private let store: Store
    private let configuration: ServiceConfiguration

    init(_ options: CustomerCommand.Options) async throws {
        let tools = try HistoryTools(
            options.options, bundleID: options.app.bundleID, environment: options.app.environment)
        (configuration, app) = (tools.configuration, tools.app)
        store = try configuration.openStore(onWait: StandardError.note)
        _ = app.groups.note(try await store.purchases.histories.seenGroups(partition: app.partition))
        let audit = AuditLog(
            store: store.signing.audit, keys: AuditKeyFolder(directory: configuration.keys.directory), system: .live)
        desk = CustomerDesk(store: store, audit: audit, retentionHours: configuration.retentionHours, system: .live)
    }

    /// Returns the result of `body`. Ends the program if the customer is unknown.
    func known<Value>(_ body: (CustomerDesk) async throws -> Value) async throws -> Value {
        do {
            return try await body(desk)
        } catch CustomerError.unknown(let bundleID) {
            StandardError.note("nothing is known of this customer in the app \(bundleID)")
            throw ExitCode.failure
        }
    }

    /// Seals the recorded events, and closes the store.
    func close() async throws {
        try store.purchases.file.close()
        try await store.signing.closeSealed(configuration)
    }
}
