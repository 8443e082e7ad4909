package import AppStore
package import AppStoreClient

extension AppStoreTransport where Self == HTTPClientTransport {
    /// For tests; patient by default, since the machine may be busy.
    package static func toStub(timeout: Duration = .seconds(60), bodyLimit: Int = 1 << 20) -> HTTPClientTransport {
        HTTPClientTransport(timeout: timeout, bodyLimit: bodyLimit)
    }
}
