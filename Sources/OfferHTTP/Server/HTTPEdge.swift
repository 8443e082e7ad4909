import Hummingbird
package import HummingbirdCore
package import Logging
import NIOCore
import NIOHTTP1
package import NIOSSL
package import OfferService
package import ServiceLifecycle

/// Makes the HTTP servers of the process.
///
/// The servers share the event loops and the observer of requests.
package struct HTTPEdge {
    private let gate: Gate
    private let budget: BodyBudget
    private let operations: OperationsController
    private let routes: [OperationRoute]
    private let lanes: StoreLanes
    private let observer: any RequestObserver
    private let logger: Logger
    /// Runs operations that are not urgent, such as lists and pages.
    ///
    /// Its threads have a low priority, so that urgent operations get a processor first.
    private let lists = BoundedExecutor(
        threads: ProcessorCount.usable, limit: 256, niceness: 5,
        refusal: IssueError.notReady("too many lists and pages are asked for at once", of: .load))

    /// - Parameters:
    ///   - gate: the checks that every request has to pass.
    ///   - lanes: the lanes of the event loops that serve requests, one for each loop.
    package init(
        gate: Gate,
        operations: OperationsController,
        administration: Administration,
        console: Console,
        lanes: StoreLanes,
        observer: any RequestObserver,
        logger: Logger
    ) {
        self.gate = gate
        budget = BodyBudget(limit: gate.policy.bodyBytes)
        self.operations = operations
        routes = operations.routes + administration.routes + console.routes
        self.lanes = lanes
        self.observer = observer
        self.logger = logger
    }

    /// Returns the server of the API.
    ///
    /// - Parameter tls: returns the TLS context for each new connection; nil if connections are not encrypted.
    package func server(
        of api: API,
        at address: BindAddress,
        tls: (@Sendable () -> NIOSSLContext)?,
        limit: ConnectionLimit,
        connections: any ConnectionObserver
    ) -> any Service {
        let channel = channel(endpoints: api.endpoints, routes: routes)
        return Application(
            router: router(routes),
            server: HTTPServerBuilder { responder in
                let channel = channel(responder)
                guard let tls else { return GuardedChannel(base: channel, limit: limit, observer: connections) }
                return GuardedChannel(base: SecureChannel(base: channel, context: tls), limit: limit, observer: connections)
            },
            configuration: .init(address: address, backlog: 1024),
            onServerRunning: { await HTTPEdge.pauseAccepting($0, notifying: connections) },
            eventLoopGroupProvider: .shared(lanes.group),
            logger: logger
        )
    }

    /// Returns a server that serves `/metrics` and nothing else, for a port of its own.
    package func metricsServer(at address: BindAddress, connections: any ConnectionObserver) -> any Service {
        let channel = channel(endpoints: [], routes: [])
        return Application(
            router: router([operations.metricsRoute]),
            server: HTTPServerBuilder(channel),
            configuration: .init(address: address),
            onServerRunning: { await HTTPEdge.pauseAccepting($0, notifying: connections) },
            eventLoopGroupProvider: .shared(lanes.group),
            logger: logger
        )
    }

    /// Makes a listening socket pause while the process has no file descriptors left for new connections.
    private static func pauseAccepting(_ channel: any Channel, notifying connections: any ConnectionObserver) async {
        // This fails only if the service is stopping at that moment. Then there is nothing to pause.
        try? await channel.eventLoop.submit {
            try channel.pipeline.syncOperations.addHandler(AcceptPause(observer: connections), position: .first)
        }.get()
    }

    private func router(_ routes: [OperationRoute]) -> Router<OperationContext> {
        let router = Router(context: OperationContext.self, options: .autoGenerateHeadEndpoints)
        router.middlewares.add(OperationsMiddleware(observer: observer, gate: gate, routes: routes))
        for route in routes { route.add(to: router, gate, lists: lists) }
        return router
    }

    private func channel(
        endpoints: [any Endpoint],
        routes: [OperationRoute]
    ) -> @Sendable (@escaping HTTPChannelHandler.Responder) -> ServiceChannel {
        let withBody = routes.filter { $0.maxBodySize > 0 }
        let service = EndpointService(endpoints: endpoints, gate: gate, budget: budget, observer: observer) { head in
            let path = String(head.uri.prefix { $0 != "?" })
            let route = withBody.first { $0.method.rawValue == head.method.rawValue && $0.matches(path) }
            return PassedBody(maxSize: route?.maxBodySize ?? 0, isSecret: route?.bodyIsSecret ?? false)
        }
        return { [lanes, idleTimeout = gate.policy.idleTimeout] responder in
            ServiceChannel(responder: responder, service: service, lanes: lanes, idleTimeout: idleTimeout)
        }
    }
}
