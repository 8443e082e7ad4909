/// One operation of the API that is answered on the event loop of its connection.
protocol Endpoint: Sendable {
    /// The whole path; at most one of its segments is a `{parameter}`.
    var path: String { get }
    /// What the caller must be allowed to do; nil where requests prove themselves and carry no access key.
    var permission: Permission? { get }
    /// How many ordinary requests a small one of these counts for against the caller's rate.
    var cost: Int64 { get }
    /// Largest body that is read, in bytes.
    var largestBody: Int { get }

    /// Answers the exchange, now or later, on its event loop.
    func respond(to exchange: Exchange)
}

extension Endpoint {
    /// How many ordinary requests a small one of these counts for.
    var cost: Int64 { 1 }
    /// Largest body that is read, in bytes.
    var largestBody: Int { 1024 * 1024 }
}
