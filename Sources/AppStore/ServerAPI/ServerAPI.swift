import EligibilityRules

/// Asks the App Store Server API for one app (docs/app-store.md#server-api).
package struct ServerAPI: Sendable {
    // 50 requests a second for an app in production, a tenth of that in the sandbox. In ms between two requests.
    private static let productionInterval: Int64 = 20
    private static let sandboxInterval: Int64 = 200
    private static let tokenLifetime: Int64 = 4 * 60 * 1000

    private let production: AppStoreHost
    private let sandbox: AppStoreHost
    private let token: CachedToken
    private let system: CallEnvironment

    /// - Parameters:
    ///   - endpoints: base URLs.
    ///   - signer: names the current signing key. A token of a key that was replaced or revoked is no longer used.
    ///   - token: signs a new token (`ServerAPIToken`) that is valid for five minutes or more.
    package init(
        endpoints: AppStoreEndpoints.Pair,
        transport: any AppStoreTransport,
        policy: CallPolicy = CallPolicy(),
        system: CallEnvironment,
        signer: @escaping @Sendable () -> String = { "" },
        token: @escaping @Sendable () async throws -> String
    ) {
        func host(_ environment: AppStoreEnvironment, _ url: String, _ interval: Int64) -> AppStoreHost {
            AppStoreHost(
                environment, at: url, interval: interval, transport: transport, policy: policy, system: system)
        }
        production = host(.production, endpoints.production, ServerAPI.productionInterval)
        sandbox = host(.sandbox, endpoints.sandbox, ServerAPI.sandboxInterval)
        self.token = CachedToken(lifetime: ServerAPI.tokenLifetime, signer: signer, make: token)
        self.system = system
    }

    /// Returns the host of an environment. Local tests have none, so the sandbox stands in for it.
    func host(of environment: AppStoreEnvironment) -> AppStoreHost { environment == .production ? production : sandbox }

    /// Asks production, and then the sandbox if production does not know the transaction.
    func productionFirst<Value: Sendable>(
        _ body: (AppStoreHost) async throws(AppStoreError) -> Value
    ) async throws(AppStoreError) -> Value {
        do {
            return try await body(production)
        } catch {
            guard ServerAPIErrorCode.isUnknownHere(error.appleCode) else { throw error }
            return try await body(sandbox)
        }
    }

    /// Sends one authorised request: a POST if there is a body.
    func ask(_ host: AppStoreHost, _ path: String, body: [UInt8]? = nil) async throws(AppStoreError) -> AppleObject {
        try await ask(host, body == nil ? .get : .post, path, body.map(AppStoreRequest.Content.json))
    }

    /// Sends one authorised request. A success without content returns an object without fields.
    func ask(
        _ host: AppStoreHost,
        _ method: AppStoreRequest.Method,
        _ path: String,
        _ content: AppStoreRequest.Content? = nil
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

extension AppStoreResponse {
    /// Whether the request was done (200), or accepted (202) whatever the body.
    fileprivate var isSilentSuccess: Bool { status == 202 || (status == 200 && body.isEmpty) }
}
