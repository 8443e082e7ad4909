import NIOHTTP1

/// How an operation is asked for.
enum EndpointMethod {
    case post
    /// `GET`, and `HEAD` with it.
    case get

    /// Whether a request with this method is for the operation.
    func takes(_ method: HTTPMethod) -> Bool {
        switch self {
        case .post: method == .POST
        case .get: method == .GET || method == .HEAD
        }
    }

    /// As the header `Allow` says it.
    var allow: String {
        switch self {
        case .post: "POST"
        case .get: "GET, HEAD"
        }
    }
}
