import EligibilityRules

/// Asks the App Store Server API for one app (docs/app-store.md#server-api).
///
/// Only `ask(about:)` and `ask(in:)` choose the environment. For this reason the hosts are private to this file.
package struct ServerAPI: Sendable {
    // The time between two requests, in ms: Apple allows an app 50 requests a second in production, and 5 in the sandbox.
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

    /// Sends one authorised request. If it succeeds without content, the result is an object without fields.
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
    /// Asks about a transaction in its environment.
    ///
    /// If the transaction is not known there, or Production refuses the token, it asks in the other environment.
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
                // If the transaction is assumed to be in the Sandbox, its error says more than Production's. An error of the
                // Sandbox about the token says less than Production's, which did accept it.
                throw home != .production || later.isTokenRefused ? refusal : later
            }
        }
    }

    /// Sends one request about things that only one environment has, such as the notifications that it has sent.
    ///
    /// If Production refuses the token, the Sandbox is asked whether it accepts it, so that the error can say what is wrong.
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

    /// The error to report if Production has refused the token, and the Sandbox then failed with the error `sandbox`.
    private func afterProductionRefused(_ sandbox: AppStoreError) async -> AppStoreError {
        if sandbox.isTokenRefused { return .keyDoubted("Production and the Sandbox refuse the token (401)") }
        guard ServerAPIErrorCode.isUnknownHere(sandbox.appleCode) else { return sandbox }
        return await refusedByProductionAlone("; the Sandbox does not know the transaction")
    }

    /// The error to report if Production refuses a token that the Sandbox accepts.
    ///
    /// If the app was released, the App Store has failed. If not, the app's first release will end the refusal.
    private func refusedByProductionAlone(_ more: String) async -> AppStoreError {
        let refusal = "Production refuses the token (401) that the Sandbox accepts"
        if await wasReleased {
            return AppStoreError(.unauthorized, "\(refusal), although the app was released: ask again later\(more)")
        }
        return AppStoreError(.appNotReleased, "\(refusal), as it does for an app that was never released\(more)")
    }

    /// The host of an environment. Local tests have none, so that the Sandbox takes their place.
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
    /// Whether the App Store has accepted the token and refused what was asked.
    fileprivate var showsGoodToken: Bool { appleCode.map { [400, 404].contains($0 / 10_000) } ?? false }

    /// Whether the App Store does not know the token's key, issuer or app. A 403 may be a proxy's, and says nothing about them.
    fileprivate var isTokenRefused: Bool { code == .unauthorized && status == 401 }

    /// The same error, or for a refused token one that says what is wrong. For use when no other environment can say more.
    fileprivate var explained: AppStoreError { isTokenRefused ? .keyDoubted("the Sandbox refuses the token (401)") : self }

    fileprivate static func keyDoubted(_ refusal: String) -> AppStoreError {
        AppStoreError(
            .unauthorized,
            "\(refusal): the key, issuerId, the bundle id or this machine's clock is wrong; offersigner doctor says what to compare"
        )
    }
}

extension AppStoreResponse {
    /// Whether the App Store has carried out the request (200 without a body) or accepted it (202, whatever the body).
    fileprivate var isSilentSuccess: Bool { status == 202 || (status == 200 && body.isEmpty) }
}
