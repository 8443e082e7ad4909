package import AppStore
package import AppStoreClient
import AsyncHTTPClient

extension AppStoreTransport where Self == HTTPClientTransport {
    /// For tests; patient unless told otherwise, since the machine may be busy.
    package static func toStub(timeout: Duration = .seconds(60), bodyLimit: Int = 1 << 20) -> HTTPClientTransport {
        HTTPClientTransport(client: client, timeout: timeout, bodyLimit: bodyLimit)
    }
}

private let client: HTTPClient = {
    var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
    configuration.connectionPool.retryConnectionEstablishment = false
    return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
}()
