import OfferService

/// One operation that is answered on the event loop of its connection.
protocol Endpoint: Sendable {
    /// Its declaration. At most one segment of the path is a `{parameter}`.
    var operation: Operation { get }
    /// The app that the operation is about.
    var app: AppScope { get }
    /// How many ordinary requests one request of this operation counts for against the caller's rate. A large body adds to it.
    var cost: Int64 { get }
    /// Whether `respond` reads the body as JSON. If so, a large body is parsed off the event loop before `respond` is called.
    var readsJSON: Bool { get }

    /// Throws if the operation cannot be done at present, for example because too much of it is under way. Called before the
    /// body is read.
    func check() throws

    /// Answers the exchange, now or later, on its event loop.
    func respond(to exchange: Exchange)
}

extension Endpoint {
    var cost: Int64 { 1 }
    var readsJSON: Bool { true }

    /// Refuses nothing.
    func check() throws {}
}

/// The app that an operation is about.
///
/// Each operation declares it; there is no default.
enum AppScope: Sendable {
    /// The operation is not about an app.
    case none
    /// The app that the request names, or else the only one that the caller may use.
    case named
    /// The app in the path. The caller needs no permission for it, because such requests carry a proof of their own, Apple's
    /// signature.
    case inPath

    var isInPath: Bool { self == .inPath }
}
