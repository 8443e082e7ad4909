import Glibc
import HummingbirdCore
import NIOCore
import NIOPosix
import OfferHTTP
import OfferService
import OfferSigning
import OfferStore
import ServiceLifecycle

/// The servers that listen for requests, and the watch on their TLS files.
struct EdgeParts {
    /// The watch on the TLS files; nil if connections are not encrypted.
    let tls: CertificateWatch?
    private let servers: [ListeningService]

    /// All services of this part.
    var services: [any Service] { (tls.map { [$0] } ?? []) + servers }

    /// Makes the event loops and the servers. The servers do not listen yet.
    init(
        _ environment: ServiceEnvironment,
        _ stores: StoreParts,
        _ keys: KeyParts,
        _ cases: UseCases,
        _ administration: AdministrationParts,
        changes: ChangeWatch,
        checks: [ReadinessCheck]
    ) async throws {
        let configuration = environment.configuration
        let tls = try configuration.http.tls.map {
            try CertificateWatch($0, system: environment.system, logger: environment.logger)
        }
        self.tls = tls
        let edge = try await EdgeParts.edge(environment, stores, keys, cases, administration, changes: changes, checks: checks)
        let connections = ConnectionMetrics(environment.registry, logger: environment.logger)
        let address = ServiceConfiguration.Address(host: configuration.http.host, port: configuration.http.port)
        let server = edge.server(
            of: cases.api, at: .hostname(address.host, port: address.port), tls: tls?.context,
            limit: ConnectionLimit(
                total: configuration.http.connections, perAddress: configuration.http.connectionsPerAddress),
            connections: connections)
        let main = ListeningService(server: server, section: "http", address: address)
        let metrics = configuration.metrics.map { address in
            let server = edge.metricsServer(
                at: .hostname(address.host, port: address.port), connections: connections)
            return ListeningService(server: server, section: "metrics", address: address)
        }
        servers = [main] + (metrics.map { [$0] } ?? [])
    }

    private static func edge(
        _ environment: ServiceEnvironment,
        _ stores: StoreParts,
        _ keys: KeyParts,
        _ cases: UseCases,
        _ administration: AdministrationParts,
        changes: ChangeWatch,
        checks: [ReadinessCheck]
    ) async throws -> HTTPEdge {
        let (configuration, registry) = (environment.configuration, environment.registry)
        let readiness = ReadinessMetrics(checks: checks)
        let document = OpenAPIDocument.bytes(version: ProgramVersion.current)
        let operations = OperationsController(
            checks: checks, metrics: { await registry.text(with: readiness.samples()) }, document: document,
            reference: try ReferenceSite.pages(of: document, digest: Crypto.sha256),
            failures: environment.failures, servesMetrics: configuration.metrics == nil)
        let loops = configuration.http.eventLoops
        let group = MultiThreadedEventLoopGroup(numberOfThreads: loops > 0 ? loops : ProcessorCount.usable)
        let examination = BoundedExecutor(
            threads: ProcessorCount.usable, limit: 1024,
            refusal: IssueError.notReady("too much is examined at once", of: .load))
        let lanes = try await StoreLanes(
            group: group, ledger: stores.store.signing.ledger, histories: stores.store.purchases.histories,
            examination: examination)
        try await SocketTurn.open(for: lanes, of: group)
        let policy = EdgePolicy(
            rates: environment.rates,
            certificateRoles: configuration.http.tls?.clients?.roles ?? [],
            proxies: TrustedProxies(configuration.http.proxies), bodyBytes: configuration.bodyMegabytes << 20,
            idleTimeout: .seconds(configuration.http.idleTimeoutSeconds))
        return HTTPEdge(
            gate: Gate(
                apps: keys.apps, directory: keys.directory, changes: changes, endUsers: cases.endUsers.directory,
                console: administration.door,
                policy: policy, replicas: environment.replicas, system: environment.system),
            operations: operations, administration: administration.api, console: administration.console, lanes: lanes,
            observer: environment.observer, logger: environment.logger)
    }
}

/// Runs a server. If it cannot listen, the error names the configuration keys that may be wrong.
struct ListeningService: Service {
    let server: any Service
    /// The section of the configuration that has the address: `http` or `metrics`.
    let section: String
    let address: ServiceConfiguration.Address

    func run() async throws {
        do {
            try await server.run()
        } catch let error as IOError {
            let reason = String(cString: strerror(error.errnoCode))
            let place = "\(address.host):\(address.port)"
            throw ConfigurationError("\(section).host, \(section).port: cannot listen on \(place): \(reason)")
        }
    }
}
