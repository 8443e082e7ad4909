import NIOCore
import NIOEmbedded
import NIOHTTP1
import OfferStore
import OfferStoreTesting

@testable import OfferHTTP
@testable import OfferService

/// One connection in memory, on an event loop whose time its maker moves: bytes in, bytes out. Nothing stands behind the operations.
final class EmbeddedConnection {
    private static let store = TemporaryStore()

    let channel = EmbeddedChannel()

    /// - Parameter endpoints: the operations; no caller has an access key to them.
    init(_ endpoints: [any Endpoint], observer: any RequestObserver) throws {
        let (store, changes) = (Self.store, Self.store.processes.changes)
        let directory = AccessDirectory(store: store.credentials.access, feed: changes)
        let gate = Gate(
            apps: AppDirectory([]), directory: directory,
            changes: ChangeWatch(directory, feed: changes),
            policy: EdgePolicy(
                rates: CurrentRates(
                    accessKeys: RateLimit(requestsPerSecond: 10, burst: 10),
                    endUsers: RateLimit(requestsPerSecond: 10, burst: 10)),
                certificateRoles: [], proxies: TrustedProxies(), bodyBytes: 1 << 20, idleTimeout: .hours(1)),
            system: .live)
        let service = EndpointService(
            endpoints: endpoints, gate: gate, budget: BodyBudget(limit: 1 << 20), observer: observer)
        let lane = StoreLane(
            eventLoop: channel.embeddedEventLoop, ledger: store.ledger, histories: store.histories,
            examination: BoundedExecutor(threads: 1, limit: 1, refusal: IssueError.notReady("full")))
        let pipeline = channel.pipeline.syncOperations
        try pipeline.configureHTTPServerPipeline(
            withPipeliningAssistance: false, withErrorHandling: false, withOutboundHeaderValidation: false)
        try pipeline.addHandler(EndpointHandler(service: service, lane: lane, idleTimeout: .hours(1)))
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }
}
