package import AppStore
import AsyncHTTPClient

extension AppStoreTransport {
    private static let client: HTTPClient = {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.connectionPool.retryConnectionEstablishment = false
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()

    /// For tests; patient unless told otherwise, since the machine may be busy.
    package static func toStub(timeout: Duration = .seconds(60), bodyLimit: Int = 1 << 20) -> AppStoreTransport {
        AppStoreTransport(client: client, timeout: timeout, bodyLimit: bodyLimit)
    }
}
