import AppStore
import AsyncHTTPClient
import EligibilityRules
import NIOCore
import OfferService
import OfferSigning

/// The clients of the App Store, as configured.
struct AppStoreAccess: Sendable {
    /// The connections of the process. Never let go of: the client must not be freed before it is shut down, and a start may fail.
    static let connections = HTTPClient(configuration: .appStore)

    /// By bundle id; an app without issuer id has none.
    let serverAPIs: [String: ServerAPI]
    let receipts: ReceiptVerification

    /// - Parameter keys: the active key of an app also signs its Server API tokens.
    init(
        _ configuration: ServiceConfiguration,
        apps: AppDirectory,
        keys: KeyRingHolder,
        transport: any AppStoreTransport,
        system: SystemEnvironment
    ) {
        let calls = CallEnvironment(
            now: system.now, sleep: { try await system.sleep(.milliseconds($0)) }, random: { .random(in: 0..<1) })
        var serverAPIs: [String: ServerAPI] = [:]
        for app in apps.all {
            guard let issuerID = app.issuerID else { continue }
            serverAPIs[app.bundleID] = ServerAPI(
                endpoints: configuration.appStore.serverAPI, transport: transport, system: calls,
                signer: { keys.activeKeyID(for: app.bundleID) ?? "" }
            ) {
                guard let key = keys.current.active(for: app.bundleID) else {
                    throw IssueError.notReady("the app \(app.bundleID) has no active key", of: .keys)
                }
                return try await key.signed(
                    ServerAPIToken(
                        issuerID: issuerID, bundleID: app.bundleID, issuedAt: system.now().milliseconds / 1000, lifetime: 300))
            }
        }
        self.serverAPIs = serverAPIs
        receipts = ReceiptVerification(
            endpoints: configuration.appStore.verifyReceipt, transport: transport, system: calls)
    }
}

extension HTTPClient.Configuration {
    /// The App Store redirects nobody: a token or a receipt goes nowhere else.
    static var appStore: HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.timeout.connect = .seconds(5)
        // The caller has its own way of trying again; a host that is down is not waited for.
        configuration.connectionPool.retryConnectionEstablishment = false
        return configuration
    }
}
