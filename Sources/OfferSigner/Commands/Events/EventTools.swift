import OfferService
import OfferStore

/// The common part of the commands about events.
struct EventTools {
    let store: SigningStore
    let desk: EventDesk
    private let configuration: ServiceConfiguration

    init(_ options: ConfigurationOptions) throws {
        configuration = try options.load()
        store = try configuration.openSigningStore(onWait: StandardError.note)
        let keys = AuditKeyFolder(directory: configuration.keys.directory)
        desk = EventDesk(
            store: store.events, endpoints: configuration.events.endpoints,
            audit: AuditLog(store: store.audit, keys: keys, system: .live), system: .live)
    }

    /// Returns the result of `body`. Its refusals end the program with a sentence.
    func known<Value>(_ body: () async throws -> Value) async throws -> Value {
        do { return try await body() } catch let error as EventError { throw CommandRefusal("\(error)") }
    }

    /// Seals what was recorded, and closes the store.
    func close() async throws { try await store.closeSealed(configuration) }
}
