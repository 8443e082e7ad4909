/// One operation of the API that is answered on the event loop of its connection.
protocol Endpoint: Sendable {
    /// The whole path; there are no parameters in it.
    var path: String { get }
    /// What the caller must be allowed to do.
    var permission: Permission { get }

    /// Answers the exchange, now or later, on its event loop.
    func respond(to exchange: Exchange)
}

extension Endpoint {
    /// Largest body that is read, in bytes.
    var largestBody: Int { 64 * 1024 }
}
