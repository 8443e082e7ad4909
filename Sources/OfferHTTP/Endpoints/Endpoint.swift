import OfferService

/// One operation that is answered on the event loop of its connection.
protocol Endpoint: Sendable {
    /// The whole path; at most one of its segments is a `{parameter}`.
    var path: String { get }
    /// How it is asked for.
    var method: EndpointMethod { get }
    /// Who may call it.
    var access: OperationAccess { get }
    /// Which app it is about.
    var app: AppScope { get }
    /// How many ordinary requests a small one of these counts for against the caller's rate.
    var cost: Int64 { get }
    /// Largest body that is read, in bytes; 0: the operation has none, and what comes is thrown away.
    var maxBodySize: Int { get }
    /// Whether `respond` reads the body as JSON, which is then parsed off the loop where it is large.
    var readsJSON: Bool { get }

    /// Refuses what the state of things rules out, before a body is read.
    func check() throws

    /// Answers the exchange, now or later, on its event loop.
    func respond(to exchange: Exchange)
}

extension Endpoint {
    /// How it is asked for.
    var method: EndpointMethod { .post }
    /// How many ordinary requests a small one of these counts for.
    var cost: Int64 { 1 }
    /// Largest body that is read, in bytes.
    var maxBodySize: Int { 1024 * 1024 }
    /// Whether `respond` reads the body as JSON.
    var readsJSON: Bool { true }

    /// Refuses nothing.
    func check() throws {}
}
