import AppStore
import EligibilityRules
import OfferService
import OfferSigning
import OfferStore

/// The clients of the App Store, as configured.
struct AppStoreAccess: Sendable {
    /// The Server API clients by bundle id. An app without issuer id has none.
    let serverAPIs: [String: ServerAPI]
    let receipts: ReceiptVerification

    /// - Parameters:
    ///   - keys: the active key of an app also signs its Server API tokens.
    ///   - purchases: tell which apps were released.
    init(
        _ configuration: ServiceConfiguration,
        apps: AppDirectory,
        keys: CurrentKeyRing,
        purchases: PurchaseStore,
        transport: any AppStoreTransport,
        replicas: ReplicaCount = ReplicaCount(),
        system: SystemEnvironment
    ) {
        let calls = CallEnvironment(
            now: system.now, sleep: { try await system.sleep(.milliseconds($0)) }, random: { .random(in: 0..<1) },
            sharers: { replicas.value })
        var serverAPIs: [String: ServerAPI] = [:]
        for app in apps.all {
            guard let issuerID = app.credentials.issuerID else { continue }
            serverAPIs[app.bundleID] = ServerAPI(
                endpoints: configuration.appStore.serverAPI, transport: transport, system: calls,
                signer: { keys.activeKeyID(for: app.bundleID) ?? "" },
                release: StoredReleaseRecord(purchases, of: app)
            ) {
                guard let key = keys.current.active(for: app.bundleID) else {
                    throw keys.noActiveKey(for: app.bundleID)
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
