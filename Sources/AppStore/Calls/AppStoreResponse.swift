/// The response of a host of the App Store.
package struct AppStoreResponse: Sendable {
    /// The HTTP status.
    let status: Int
    /// The header `Retry-After` as received.
    let retryAfter: String?
    /// The header `Date` as received.
    var date: String?
    /// The whole body.
    let body: [UInt8]

    package init(status: Int, retryAfter: String?, date: String? = nil, body: [UInt8]) {
        self.status = status
        self.retryAfter = retryAfter
        self.date = date
        self.body = body
    }
}
