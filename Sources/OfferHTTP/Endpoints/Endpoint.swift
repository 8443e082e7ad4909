import OfferService

/// One operation that is answered on the event loop of its connection.
protocol Endpoint: Sendable {
    /// Its declaration. At most one segment of the path is a `{parameter}`.
    var operation: Operation { get }
    /// The app that the operation is about.
    var app: AppScope { get }
    /// The number of ordinary requests that a small one of these counts for against the caller's rate.
    var cost: Int64 { get }
    /// Whether `respond` reads the body as JSON, which is parsed off the loop if it is large.
    var readsJSON: Bool { get }

    /// Throws if the present state rules the operation out, before a body is read.
    func check() throws

    /// Answers the exchange, now or later, on its event loop.
    func respond(to exchange: Exchange)
}

extension Endpoint {
    /// The number of ordinary requests that a small one of these counts for.
    var cost: Int64 { 1 }
    /// Whether `respond` reads the body as JSON.
    var readsJSON: Bool { true }

    /// Refuses nothing.
    func check() throws {}
}

/// The app that an operation is about. Each operation declares it; there is no default.
enum AppScope: Sendable {
    /// None: the operation gets no app.
    case none
    /// The app that the request names, or else the only one that the caller may use.
    case named
    /// The app in the path, for any caller: such requests prove themselves.
    case inPath

    var isInPath: Bool { self == .inPath }
}
