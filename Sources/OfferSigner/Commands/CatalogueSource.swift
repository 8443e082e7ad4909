import AppStore
import AppStoreClient
import EligibilityRules
import FoundationEssentials
import OfferService
import OfferSigning

/// The connection of a command to App Store Connect.
struct CatalogueSource {
    let api: ConnectAPI
    /// The present day in UTC, such as `2026-01-31`.
    let day: String

    /// - Parameter issuer: nil for an individual key.
    init(_ tree: ConfigurationTree, key: SigningKey, issuer: String?) throws {
        let url = tree.text("appStore.connectAPI")!
        let isSecret = url.lowercased().hasPrefix("https://")
        guard isSecret || (tree.text("environment") != "production" && url.lowercased().hasPrefix("http://")) else {
            throw ConfigurationError("appStore.connectAPI: must be a URL that begins with https://")
        }
        let system = SystemEnvironment.live
        day = String(system.now().iso8601.prefix(10))
        api = ConnectAPI(
            baseURL: url, transport: HTTPClientTransport(timeout: .seconds(30)),
            system: CallEnvironment(
                now: system.now, sleep: { try await system.sleep(.milliseconds($0)) }, random: { .random(in: 0..<1) })
        ) {
            try key.sign(
                AppStoreConnectToken(issuerID: issuer, issuedAt: system.now().milliseconds / 1000, lifetime: 900))
        }
    }
}
