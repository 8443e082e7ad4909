/// One request to a host of the App Store.
package struct AppStoreRequest: Sendable {
    /// Absolute URL.
    let url: String
    /// Bearer token; nil for none.
    let token: String?
    /// JSON to send; nil for a GET.
    let body: [UInt8]?
    /// Whether the body is PUT, not POSTed.
    let isReplacement: Bool

    /// Joins a base URL, which may end with a slash, and a path with its query, which begins with one or is empty.
    init(_ baseURL: String, _ path: String, token: String? = nil, body: [UInt8]? = nil, isReplacement: Bool = false) {
        self.isReplacement = isReplacement
        url = (baseURL.hasSuffix("/") ? String(baseURL.dropLast()) : baseURL) + path
        self.token = token
        self.body = body
    }
}
