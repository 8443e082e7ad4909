import ArgumentParser
import OfferService
import OfferStore

/// What the commands about a customer share.
struct CustomerTools {
    let app: App
    private let desk: CustomerDesk
    private let store: Store
    private let configuration: ServiceConfiguration

    init(_ options: CustomerCommand.Options) async throws {
        let tools = try HistoryTools(options.options, bundleID: options.bundleID)
        configuration = tools.configuration
        let environment = try options.environment.map { name in
            guard let environment = App.Environment(rawValue: name) else {
                throw ValidationError("--environment: must be Production or Sandbox")
            }
            return environment
        }
        do { app = try tools.app.app(in: environment).withPurchases() } catch {
            throw ValidationError(
                "--environment: \(tools.app.bundleID) takes no data of \(options.environment ?? ""); see apps[].sandbox")
        }
        store = try configuration.openStore(onWait: StandardError.note)
        _ = app.groups.note(try await store.purchases.histories.seenGroups(bundleID: app.partition))
        let audit = AuditLog(
            store: store.signing.audit, keys: AuditKeyFolder(directory: configuration.keys.directory), system: .live)
        desk = CustomerDesk(store: store, audit: audit, retentionHours: configuration.retentionHours, system: .live)
    }

    /// What `body` gives; ends the program where nothing is known of the customer.
    func known<Value>(_ body: (CustomerDesk) async throws -> Value) async throws -> Value {
        do {
            return try await body(desk)
        } catch CustomerError.unknown(let bundleID) {
            StandardError.note("nothing is known of this customer in the app \(bundleID)")
            throw ExitCode.failure
        }
    }

    /// Seals what was recorded, and closes the store.
    func close() async throws {
        try store.purchases.file.close()
        try await store.signing.closeSealed(configuration)
    }
}
