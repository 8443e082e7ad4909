import AppStoreClient
import EligibilityRules
import NIOHTTP1
import OfferService
import OfferStore
import ServiceLifecycle

/// The parts that collect and send events to the company's own systems, and those with which people manage deliveries.
struct EventParts {
    let desk: EventDesk
    /// Sends the events; nil if no endpoint is configured, or if another process that serves the same files does this work.
    let dispatcher: EventDispatcher?

    private let collection: EventCollection?

    /// All services of this part.
    var services: [any Service] { [dispatcher as (any Service)?, collection].compactMap(\.self) }

    /// Begins to collect events. Must be called before the first request is answered.
    func begin() async { await collection?.begin() }

    init(_ environment: ServiceEnvironment, _ stores: StoreParts, _ keys: KeyParts) {
        let (events, store, metrics) = (environment.configuration.events, stores.store.signing.events, environment.metrics)
        desk = stores.store.signing.eventDesk(environment.configuration, stores.audit, system: environment.system)
        let now: @Sendable () -> Instant? = { [clock = keys.clock] in try? clock.now() }
        let turn = stores.isShared ? (stores.store.purchases.leases, environment.replicaID) : nil
        collection =
            stores.hasChores
            ? EventCollection(
                store: store, subscriptions: events.endpoints.map(\.subscription), keep: events.keep, now: now, turn: turn,
                system: environment.system, failures: environment.failures) : nil
        guard stores.hasChores, !events.endpoints.isEmpty else {
            dispatcher = nil
            return
        }
        dispatcher = EventDispatcher(
            endpoints: events.endpoints,
            attempts: EventAttempts(
                store: store, transport: EventClient(), system: environment.system, logger: environment.logger,
                failures: environment.failures,
                onAttempt: { metrics.countEventAttempt(endpoint: $0, result: $1) }),
            keep: events.keep, now: now, turn: turn)
    }
}

/// Sends events over HTTP.
struct EventClient: EventTransport {
    private static let timeout = Duration.seconds(15)
    // The body of an answer is not used, so a small limit is enough.
    private static let bodyLimit = 4096

    private let client = HTTPClient(accepts: { PublicAddress.contains($0) })
    private let openClient = HTTPClient()

    func post(
        _ body: [UInt8],
        headers: [(name: String, value: String)],
        to endpoint: EventEndpoint
    ) async -> EventAnswer {
        let request = HTTPClientRequest(
            .POST, endpoint.url, headers: HTTPHeaders(headers.map { ($0.name, $0.value) }), body: body)
        do {
            let response = try await (endpoint.allowsPrivateAddresses ? openClient : client)
                .send(request, within: Self.timeout, upTo: Self.bodyLimit, cutsBody: true)
            return EventAnswer(status: response.status, retryAfter: response.headers.first(name: "Retry-After"))
        } catch {
            return EventAnswer(
                noAnswer: error.code == .addressRefused
                    ? "\(error.detail); to allow it, set allowPrivateAddresses of the endpoint" : error.detail)
        }
    }
}
