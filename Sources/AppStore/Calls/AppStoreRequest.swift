/// One request to a host of the App Store.
package struct AppStoreRequest: Sendable {
    /// The HTTP method.
    package enum Method: Sendable {
        case get, post, put, delete

        /// Whether a successful response has nothing but its status.
        var isSilent: Bool { self == .put || self == .delete }
    }

    /// The body of a request.
    package struct Content: Sendable {
        /// The media type, as in `application/json`.
        package let type: String
        package let bytes: [UInt8]

        /// A picture.
        static func png(_ bytes: [UInt8]) -> Content { Content(type: "image/png", bytes: bytes) }

        /// A JSON text.
        static func json(_ bytes: [UInt8]) -> Content { Content(type: "application/json", bytes: bytes) }
    }

    /// Absolute URL.
    package let url: String
    /// Bearer token; nil for none.
    package let token: String?
    package let method: Method
    /// Nil for no body.
    package let content: Content?

    /// Joins a base URL, which may end with a slash, and a path with its query, which begins with one or is empty.
    ///
    /// - Parameter method: nil means POST if there is content, GET otherwise.
    init(_ baseURL: String, _ path: String, token: String? = nil, content: Content? = nil, method: Method? = nil) {
        url = (baseURL.hasSuffix("/") ? String(baseURL.dropLast()) : baseURL) + path
        self.token = token
        self.content = content
        self.method = method ?? (content == nil ? .get : .post)
    }

    /// Sends JSON if there is a body.
    init(_ baseURL: String, _ path: String, token: String? = nil, body: [UInt8]?) {
        self.init(baseURL, path, token: token, content: body.map(Content.json))
    }
}
