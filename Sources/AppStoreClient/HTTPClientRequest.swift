package import NIOHTTP1

/// A request of an HTTP client.
package struct HTTPClientRequest: Sendable {
    package let method: HTTPMethod
    /// Absolute URL, http or https.
    package let url: String
    /// The headers besides Host, User-Agent and Content-Length, which the client adds.
    package let headers: HTTPHeaders
    /// Nil for no body.
    package let body: [UInt8]?

    package init(_ method: HTTPMethod, _ url: String, headers: HTTPHeaders, body: [UInt8]? = nil) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }
}
