import NIOHTTP1

/// The HTTP method of an operation that is answered on the event loop.
enum EndpointMethod {
    case post
    /// `GET`, and also `HEAD`.
    case get

    /// Whether the operation accepts a request with this method.
    func takes(_ method: HTTPMethod) -> Bool {
        switch self {
        case .post: method == .POST
        case .get: method == .GET || method == .HEAD
        }
    }

    /// The value of the header `Allow`.
    var allow: String {
        switch self {
        case .post: "POST"
        case .get: "GET, HEAD"
        }
    }
}
