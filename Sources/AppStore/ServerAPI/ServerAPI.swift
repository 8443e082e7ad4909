import EligibilityRules

/// Asks the App Store Server API for one app (docs/app-store.md#server-api).
///
/// `ask(about:)` and `ask(in:)` choose the environment, and nothing else does: the hosts are private to this file.
package struct ServerAPI: Sendable {
    // 50 requests a second for an app in production, a tenth of that in the sandbox. In ms between two requests.
    private static let productionInterval: Int64 = 20
    private static let sandboxInterval: Int64 = 200
    private static let tokenLifetime: Int64 = 4 * 60 * 1000

    private let production: AppStoreHost
    private let sandbox: AppStoreHost
    private let token: CachedToken
    private let release: any ReleaseRecord
    private let system: CallEnvironment

    /// - Parameters:
    ///   - endpoints: base URLs.
    ///   - signer: names the current signing key. A token of a key that was replaced or revoked is no longer used.
    ///   - release: remembers that Production has answered this app.
    ///   - token: signs a new token (`ServerAPIToken`) that is valid for five minutes or more.
    package init(
        endpoints: AppStoreEndpoints.Pair,
        transport: any AppStoreTransport,
        policy: CallPolicy = CallPolicy(),
        system: CallEnvironment,
        signer: @escaping @Sendable () -> String = { "" },
        release: any ReleaseRecord,
        token: @escaping @Sendable () async throws -> String
    ) {
        func host(_ environment: AppStoreEnvironment, _ url: String, _ interval: Int64) -> AppStoreHost {
            AppStoreHost(
                environment, at: url, interval: interval, transport: transport, policy: policy, system: system)
        }
        production = host(.production, endpoints.production, ServerAPI.productionInterval)
        sandbox = host(.sandbox, endpoints.sandbox, ServerAPI.sandboxInterval)
        self.token = CachedToken(lifetime: ServerAPI.tokenLifetime, signer: signer, make: token)
        self.release = release
        self.system = system
    }

    /// Whether the app is known to have been released.
    package var wasReleased: Bool { get async { await release.wasReleased } }

    /// Sends one authorised request. A success without content returns an object without fields.
    func ask(
        _ host: AppStoreHost,
        _ method: AppStoreRequest.Method,
        _ path: String,
        _ content: AppStoreRequest.Content? = nil
    ) async throws(AppStoreError) -> AppleObject {
        let result: Result<AppleObject, AppStoreError>
        do { result = .success(try await send(host, method, path, content)) } catch { result = .failure(error) }
        if host.environment == .production, result.showsGoodToken { await release.note() }
        return try result.get()
    }

    private func send(
        _ host: AppStoreHost,
        _ method: AppStoreRequest.Method,
        _ path: String,
        _ content: AppStoreRequest.Content?
    ) async throws(AppStoreError) -> AppleObject {
        var used = ""
        return try await host.call { baseURL throws(AppStoreError) in
            used = try await token.token(at: system.now())
            return AppStoreRequest(baseURL, path, token: used, content: content, method: method)
        } judge: { response, attempt in
            // The key may have been replaced since the token was made.
            if response.status == 401 { token.drop(used) }
            if method.isSilent, response.isSilentSuccess { return .final(.success(AppleObject.empty)) }
            return ServerAPI.judge(response, attempt)
        }
    }

    private static func judge(_ response: AppStoreResponse, _ attempt: Int) -> Judgement<AppleObject> {
        let object = AppleObject(parsing: response.body)
        if response.status == 200 {
            let malformed = AppStoreError(.malformedAnswer, "the App Store Server API answered 200 without a JSON object")
            return .final(object.map { .success($0) } ?? .failure(malformed))
        }
        let code = object?.integer("errorCode")
        let judgement: Judgement<AppleObject> = response.judgedByStatus(
            appleCode: code, appleMessage: object?.text("errorMessage"))
        guard case .final(let result) = judgement else { return judgement }
        if response.status == 401, attempt == 1 { return .retry(orElse: result) }
        guard let code, ServerAPIErrorCode.isRetryable(code) else { return judgement }
        let detail = "the App Store Server API answers error \(code)"
        return .retry(orElse: .failure(AppStoreError(.unavailable, detail, appleCode: code)))
    }
}

// Production refuses every token, with 401 and without a body, for an app that was never released. The Sandbox accepts the same
// token. So a refusal by Production says nothing about the key before the Sandbox has refused it, too.
extension ServerAPI {
    /// Asks about a transaction where it belongs, and in the other environment if it is not known there or Production refuses
    /// the token.
    ///
    /// - Parameter home: the environment that the transaction is known or taken to belong to.
    func ask<Value: Sendable>(
        about home: AppStoreEnvironment,
        _ question: (AppStoreHost) async throws(AppStoreError) -> Value
    ) async throws(AppStoreError) -> Value {
        let (first, second) = home == .production ? (production, sandbox) : (sandbox, production)
        do {
            return try await question(first)
        } catch let refusal {
            let isRefusedByProduction = refusal.isTokenRefused && home == .production
            guard isRefusedByProduction || ServerAPIErrorCode.isUnknownHere(refusal.appleCode) else { throw refusal.explained }
            do {
                return try await question(second)
            } catch let later {
                if isRefusedByProduction { throw await afterProductionRefused(later) }
                // About its own transactions the Sandbox knows best, whatever Production says afterwards.
                throw home != .production || later.isTokenRefused ? refusal : later
            }
        }
    }

    /// Sends one request about what belongs to one environment alone, such as the notifications that it has sent.
    ///
    /// If Production refuses the token, the Sandbox is asked whether it accepts the token, so that the error can tell.
    func ask(
        in environment: AppStoreEnvironment,
        _ method: AppStoreRequest.Method,
        _ path: String,
        _ content: AppStoreRequest.Content? = nil
    ) async throws(AppStoreError) -> AppleObject {
        do {
            return try await ask(host(of: environment), method, path, content)
        } catch let refusal {
            guard refusal.isTokenRefused, environment == .production else { throw refusal.explained }
            do { try await knock(in: .sandbox) } catch let later { throw await afterProductionRefused(later) }
            throw await refusedByProductionAlone("")
        }
    }

    /// Asks an environment about a transaction that does not exist. The answer that it is unknown shows that the token is good.
    package func knock(in environment: AppStoreEnvironment) async throws(AppStoreError) {
        do { _ = try await ask(host(of: environment), .get, "/inApps/v1/subscriptions/1") } catch {
            guard error.showsGoodToken else { throw error }
        }
    }

    /// The error after Production has refused the token, and then the Sandbox has given no answer either.
    private func afterProductionRefused(_ sandbox: AppStoreError) async -> AppStoreError {
        if sandbox.isTokenRefused { return .keyDoubted("Production and the Sandbox refuse the token (401)") }
        guard ServerAPIErrorCode.isUnknownHere(sandbox.appleCode) else { return sandbox }
        return await refusedByProductionAlone("; the Sandbox does not know the transaction")
    }

    /// Where the app was released, the refusal is a failure of the App Store's.
    private func refusedByProductionAlone(_ more: String) async -> AppStoreError {
        let refusal = "Production refuses the token (401) that the Sandbox accepts"
        if await wasReleased {
            return AppStoreError(.unauthorized, "\(refusal), although the app was released: ask again later\(more)")
        }
        return AppStoreError(.appNotReleased, "\(refusal), as it does for an app that was never released\(more)")
    }

    /// Local tests have no host, so the Sandbox stands in for it.
    private func host(of environment: AppStoreEnvironment) -> AppStoreHost { environment == .production ? production : sandbox }
}

extension Result<AppleObject, AppStoreError> {
    fileprivate var showsGoodToken: Bool {
        switch self {
        case .success: true
        case .failure(let error): error.showsGoodToken
        }
    }
}

extension AppStoreError {
    /// The App Store has looked at what was asked about, and not at the token alone.
    fileprivate var showsGoodToken: Bool { appleCode.map { [400, 404].contains($0 / 10_000) } ?? false }

    /// The App Store does not know the token's key, issuer or app. A proxy's 403 says nothing about them.
    fileprivate var isTokenRefused: Bool { code == .unauthorized && status == 401 }

    /// The error with what a refused token means, after all environments were asked that can tell.
    fileprivate var explained: AppStoreError { isTokenRefused ? .keyDoubted("the Sandbox refuses the token (401)") : self }

    fileprivate static func keyDoubted(_ refusal: String) -> AppStoreError {
        AppStoreError(
            .unauthorized,
            "\(refusal): the key, issuerId, the bundle id or this machine's clock is wrong; offersigner doctor says what to compare"
        )
    }
}

extension AppStoreResponse {
    /// Whether the request was done (200), or accepted (202) whatever the body.
    fileprivate var isSilentSuccess: Bool { status == 202 || (status == 200 && body.isEmpty) }
}
