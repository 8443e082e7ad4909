/// What a host of the App Store answered.
package struct AppStoreResponse: Sendable {
    /// HTTP status.
    let status: Int
    /// The header `Retry-After` as it came.
    let retryAfter: String?
    /// The header `Date` as it came.
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
