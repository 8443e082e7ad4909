/// One request to a host of the App Store.
package struct AppStoreRequest: Sendable {
    /// The HTTP method.
    package enum Method: Sendable {
        case get, post, put, delete

        /// Whether the App Store answers a successful request of this method with a status alone, without a body.
        var isSilent: Bool { self == .put || self == .delete }
    }

    /// The body of a request.
    package struct Content: Sendable {
        /// The media type, as in `application/json`.
        package let type: String
        package let bytes: [UInt8]

        static func png(_ bytes: [UInt8]) -> Content { Content(type: "image/png", bytes: bytes) }

        static func json(_ bytes: [UInt8]) -> Content { Content(type: "application/json", bytes: bytes) }
    }

    /// The absolute URL.
    package let url: String
    /// The token for `Authorization: Bearer`; nil for a request without this header.
    package let token: String?
    package let method: Method
    /// The body; nil for none.
    package let content: Content?

    /// Makes a request to a path below a base URL.
    ///
    /// The base URL may end with a slash. The path, which may include a query, begins with a slash or is empty.
    ///
    /// - Parameter method: nil stands for POST if there is content, and for GET if there is none.
    init(_ baseURL: String, _ path: String, token: String? = nil, content: Content? = nil, method: Method? = nil) {
        url = (baseURL.hasSuffix("/") ? String(baseURL.dropLast()) : baseURL) + path
        self.token = token
        self.content = content
        self.method = method ?? (content == nil ? .get : .post)
    }

    /// Makes a POST of JSON, or a GET if there is no body.
    init(_ baseURL: String, _ path: String, token: String? = nil, body: [UInt8]?) {
        self.init(baseURL, path, token: token, content: body.map(Content.json))
    }
}
