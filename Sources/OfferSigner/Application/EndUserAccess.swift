import AppStoreClient
import Logging
import NIOHTTP1
import OfferHTTP
import OfferService
import OfferSigning
import OfferStore

/// How requests of end users are authenticated, as configured.
struct EndUserAccess {
    /// Verifies tokens; nil if no app accepts tokens of end users.
    let directory: EndUserDirectory?
    /// The public keys of the issuers, one set for each issuer.
    let keys: [CurrentTokenKeys]

    /// Makes the parts. The issuers' keys are not read yet.
    init(_ environment: ServiceEnvironment, secrets: any SecretStore) async throws {
        let issuers = Self.issuers(environment)
        keys = issuers.map(\.keys)
        let metrics = EndUserMetrics(environment.registry)
        metrics.watch(keys)
        environment.registry.add(metrics)
        guard !issuers.isEmpty else {
            directory = nil
            return
        }
        let secret = try await secrets.secret(named: "end-user-names") { try Crypto.randomBytes(32) }
        directory = EndUserDirectory(
            issuers: issuers, names: try AuthenticationKey(secret: secret), system: environment.system,
            observer: metrics.countRefused)
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
                accountTokenClaim: tokens.accountTokenClaim, appTransactionClaim: tokens.appTransactionClaim,
                audiences: audiences, keys: keys)
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

/// Fetches the public keys of a token issuer from the configured address, and from nowhere else.
struct TokenKeyRequest: Sendable {
    /// Why the document with the keys could not be read.
    struct Fault: Error, FailureDescribing {
        let code: String
        let reason: String

        var asFailure: Failure { Failure(.tokenIssuer, code, reason) }
    }

    let url: String

    /// Fetches the document. Throws if it has more than `TokenKeySet.maxSize` bytes or takes more than five seconds.
    func document() async throws -> [UInt8] {
        let request = HTTPClientRequest(.GET, url, headers: ["Accept": "application/jwk-set+json, application/json"])
        let response: HTTPClientResponse
        do {
            response = try await HTTPClient.shared.send(request, within: .seconds(5), upTo: TokenKeySet.maxSize)
        } catch {
            switch error.code {
            case .timedOut: throw fault("token-keys-timed-out", "does not answer in time")
            case .tooLong: throw fault("token-keys-too-long", "answers with more than \(TokenKeySet.maxSize) bytes")
            case .unreachable, .cancelled, .addressRefused:
                throw fault("token-keys-unreachable", "cannot be reached: \(error.detail)")
            }
        }
        guard response.status == 200 else {
            throw fault("token-keys-refused", "answers \(response.status); redirects are not followed")
        }
        return response.body
    }

    private func fault(_ code: String, _ reason: String) -> Fault { Fault(code: code, reason: "\(url) \(reason)") }
}
