import Logging
import OfferHTTP
import OfferService
import OfferSigning
import OfferStore

/// How end users come in, as configured.
struct EndUserAccess {
    /// Nil where no app takes their tokens.
    let door: EndUserDoor?
    /// One an issuer.
    let keys: [CurrentTokenKeys]

    /// Reads no keys yet.
    init(_ environment: ServiceEnvironment, secrets: any SecretStore) async throws {
        let configuration = environment.configuration
        let issuers = Self.issuers(environment)
        keys = issuers.map(\.keys)
        let metrics = EndUserMetrics(environment.registry)
        metrics.watch(keys)
        environment.registry.add(metrics)
        guard !issuers.isEmpty else {
            door = nil
            return
        }
        let secret = try await secrets.secret(named: "end-user-names") { try Crypto.randomBytes(32) }
        let directory = EndUserDirectory(
            issuers: issuers, names: try AuthenticationKey(secret: secret), system: environment.system,
            observer: metrics.countRefused)
        let rate = configuration.endUserRate
        door = EndUserDoor(
            directory: directory, rateLimit: RateLimit(requestsPerMinute: rate.requestsPerMinute, burst: rate.burst))
    }

    private static func issuers(_ environment: ServiceEnvironment) -> [TokenIssuer] {
        let apps = environment.configuration.apps.compactMap { app in app.endUserTokens.map { (id: app.bundleID, tokens: $0) } }
        return Dictionary(grouping: apps, by: \.tokens.issuer).sorted { $0.key < $1.key }.map { issuer, apps in
            let tokens = apps[0].tokens
            var audiences: [String: Set<String>] = [:]
            for app in apps {
                for audience in app.tokens.audiences { audiences[audience, default: []].insert(app.id) }
            }
            let keys = CurrentTokenKeys(
                issuer: issuer,
                terms: CurrentTokenKeys.Terms(
                    interval: .seconds(tokens.refreshSeconds), maxAge: tokens.maxAgeSeconds * 1000,
                    algorithms: tokens.algorithms),
                system: environment.system, failures: environment.failures, logger: environment.logger,
                load: load(tokens.source))
            return TokenIssuer(
                name: issuer, algorithms: tokens.algorithms, leeway: tokens.leewaySeconds * 1000,
                accountTokenClaim: tokens.accountTokenClaim, audiences: audiences, keys: keys)
        }
    }

    private static func load(_ source: EndUserTokens.KeySource) -> @Sendable () async throws -> [UInt8] {
        switch source {
        case .url(let url):
            let request = TokenKeyRequest(url: url)
            return { try await request.document() }
        case .file(let file):
            return {
                do throws(ConfigurationError) { return try TokenKeyFile.read(file) } catch {
                    throw TokenKeyRequest.Fault(
                        code: "token-keys-unreadable", reason: error.problems.joined(separator: "; "))
                }
            }
        }
    }
}
