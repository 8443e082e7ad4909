import EligibilityRules

/// Sends the requests of one app to the App Store Server API (docs/app-store.md#server-api).
///
/// Only the functions in this file choose between Production and the Sandbox. For this reason the two hosts are private to it.
package struct ServerAPI: Sendable {
    // The least time between two requests, in ms. Apple allows an app 50 requests a second in production, and 5 in the sandbox.
    private static let productionInterval: Int64 = 20
    private static let sandboxInterval: Int64 = 200
    private static let tokenLifetime: Int64 = 4 * 60 * 1000

    private let production: AppStoreHost
    private let sandbox: AppStoreHost
    private let token: CachedToken
    private let release: any ReleaseRecord
    private let system: CallEnvironment

    /// - Parameters:
    ///   - endpoints: the base URLs of the Server API.
    ///   - signer: returns the name of the current signing key. A token that was signed with an earlier key is not used any more.
    ///   - release: remembers that Production has accepted a token of this app.
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

    /// Sends one request with a token. If the App Store accepts it with an empty answer, the result is an object without fields.
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
            // The key may have been replaced since the token was made, so the next attempt uses a new token.
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

// As long as an app was never released, Production refuses each of its tokens with 401 and an empty body, although the Sandbox
// accepts the same token. A refusal by Production therefore shows that the key is wrong only if the Sandbox refuses it, too.
extension ServerAPI {
    /// Asks about a transaction in its environment.
    ///
    /// If that environment does not know the transaction, or if Production refuses the token, it asks in the other environment.
    ///
    /// - Parameter home: the environment that the transaction is known or assumed to belong to.
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
                // Both environments have failed, and only one error can be reported. If the transaction is assumed to be in the
                // Sandbox, the Sandbox's error says more. If the Sandbox refuses the token, Production's error says more, because
                // Production has accepted the token.
                throw home != .production || later.isTokenRefused ? refusal : later
            }
        }
    }

    /// Sends one request that concerns only one environment, for example about the notifications that it has sent.
    ///
    /// If Production refuses the token, it asks the Sandbox whether that accepts it, so that the error can say what is wrong.
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

    /// Tests the token in an environment by asking about a transaction that does not exist.
    ///
    /// If the App Store answers that it does not know the transaction, it has accepted the token.
    package func knock(in environment: AppStoreEnvironment) async throws(AppStoreError) {
        do { _ = try await ask(host(of: environment), .get, "/inApps/v1/subscriptions/1") } catch {
            guard error.showsGoodToken else { throw error }
        }
    }

    /// The error to report if Production has refused the token, and the Sandbox has then answered with the error `sandbox`.
    private func afterProductionRefused(_ sandbox: AppStoreError) async -> AppStoreError {
        if sandbox.isTokenRefused { return .keyDoubted("Production and the Sandbox refuse the token (401)") }
        guard ServerAPIErrorCode.isUnknownHere(sandbox.appleCode) else { return sandbox }
        return await refusedByProductionAlone("; the Sandbox does not know the transaction")
    }

    /// The error to report if Production refuses a token that the Sandbox accepts.
    ///
    /// If the app was released before, the refusal is a failure of the App Store. If not, Production will accept the token after
    /// the app's first release.
    private func refusedByProductionAlone(_ more: String) async -> AppStoreError {
        let refusal = "Production refuses the token (401) that the Sandbox accepts"
        if await wasReleased {
            return AppStoreError(.unauthorized, "\(refusal), although the app was released: ask again later\(more)")
        }
        return AppStoreError(.appNotReleased, "\(refusal), as it does for an app that was never released\(more)")
    }

    /// The host of an environment. Local tests have no host of their own; their requests go to the Sandbox.
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
    /// Whether the App Store has accepted the token, and only then refused the request.
    fileprivate var showsGoodToken: Bool { appleCode.map { [400, 404].contains($0 / 10_000) } ?? false }

    /// Whether the App Store refuses the token, because it does not know the key, the issuer or the app. A 403 does not count: it
    /// may come from a proxy on the way.
    fileprivate var isTokenRefused: Bool { code == .unauthorized && status == 401 }

    /// The error to report if the other environment is not asked. If the token is refused, it says what may be wrong; any other
    /// error stays as it is.
    fileprivate var explained: AppStoreError { isTokenRefused ? .keyDoubted("the Sandbox refuses the token (401)") : self }

    fileprivate static func keyDoubted(_ refusal: String) -> AppStoreError {
        AppStoreError(
            .unauthorized,
            "\(refusal): the key, issuerId, the bundle id or this machine's clock is wrong; offersigner doctor says what to compare"
        )
    }
}

extension AppStoreResponse {
    /// Whether the App Store has carried out the request (200 without a body), or accepted it (202 with any body).
    fileprivate var isSilentSuccess: Bool { status == 202 || (status == 200 && body.isEmpty) }
}
