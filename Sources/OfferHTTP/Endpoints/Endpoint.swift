import OfferService

/// One operation that is answered on the event loop of its connection.
protocol Endpoint: Sendable {
    /// The declaration of the operation. At most one segment of its path is a `{parameter}`.
    var operation: Operation { get }
    /// The app that the operation is about.
    var app: AppScope { get }
    /// As how many ordinary requests a request of this operation counts for the caller's rate. A large body adds to that.
    var cost: Int64 { get }
    /// Whether `respond` reads the body as JSON. If so, a large body is parsed off the event loop before `respond` is called.
    var readsJSON: Bool { get }
    /// Whether the answer depends on state that the process reads from its store. If so, the state is brought up to date before
    /// `respond` is called, which fails while the store is away.
    var dependsOnStore: Bool { get }

    /// Throws if the operation cannot be carried out at present, for example because too many such requests are under way. It is
    /// called before the body is read.
    func check() throws

    /// Answers the exchange, at once or later. The answer must be given on the exchange's event loop.
    func respond(to exchange: Exchange)
}

extension Endpoint {
    var cost: Int64 { 1 }
    var readsJSON: Bool { true }
    var dependsOnStore: Bool { true }

    /// Refuses nothing.
    func check() throws {}
}

/// The app that an operation is about.
///
/// Each operation must declare it. There is no default, so none can be forgotten.
enum AppScope: Sendable {
    /// The operation is not about an app.
    case none
    /// The app that the request names, or else the only one that the caller may use.
    case named
    /// The app that the path names. The caller needs no permission for it, because such requests carry a proof of their own:
    /// Apple's signature or, in a notification V1, the app's shared secret.
    case inPath

    var isInPath: Bool { self == .inPath }
}
