/// One operation of the API that is answered on the event loop of its connection.
protocol Endpoint: Sendable {
    /// The whole path; there are no parameters in it.
    var path: String { get }
    /// What the caller must be allowed to do.
    var permission: Permission { get }
    /// How many ordinary requests one of these counts for against the caller's rate.
    var cost: Int64 { get }

    /// Answers the exchange, now or later, on its event loop.
    func respond(to exchange: Exchange)
}

extension Endpoint {
    /// How many ordinary requests one of these counts for.
    var cost: Int64 { 1 }
    /// Largest body that is read, in bytes.
    var largestBody: Int { 64 * 1024 }
}
