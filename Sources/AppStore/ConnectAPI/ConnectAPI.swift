import EligibilityRules

/// Asks the App Store Connect API what an app sells (docs/catalogue.md). It changes nothing there.
package struct ConnectAPI: Sendable {
    // The least time between two requests, in ms. Apple's limit is some 3,600 requests an hour. Reading a catalogue takes only a
    // few for each product, so the requests need not be spread over the hour.
    private static let interval: Int64 = 20
    private static let tokenLifetime: Int64 = 10 * 60 * 1000
    // A list of more pages is taken for an error, because 100 pages of 200 elements are more than any app sells.
    private static let maxPages = 100
    private static let pageSize = 200

    private let host: AppStoreHost
    private let baseURL: String
    private let token: CachedToken
    private let system: CallEnvironment

    /// - Parameters:
    ///   - baseURL: `https://api.appstoreconnect.apple.com`, or the address of a test server.
    ///   - token: signs a new token (`AppStoreConnectToken`) that is valid for a quarter of an hour or more.
    package init(
        baseURL: String,
        transport: any AppStoreTransport,
        policy: CallPolicy = CallPolicy(),
        system: CallEnvironment,
        token: @escaping @Sendable () async throws -> String
    ) {
        self.baseURL = baseURL.hasSuffix("/") ? String(baseURL.dropLast()) : baseURL
        self.system = system
        self.token = CachedToken(lifetime: Self.tokenLifetime, make: token)
        host = AppStoreHost(
            .production, at: baseURL, interval: Self.interval, transport: transport, policy: policy, system: system)
    }

    /// Returns all elements of a list, page by page.
    ///
    /// - Parameters:
    ///   - path: the path of the list, without a query.
    ///   - query: the fields of the query, each in the form `name=value` and percent-encoded.
    func list(_ path: String, query: [String] = []) async throws(AppStoreError) -> [ConnectResource] {
        try await listing(path, query: query).elements
    }

    /// Returns all elements of a list, page by page, with the related resources that the answers include.
    func listing(_ path: String, query: [String]) async throws(AppStoreError) -> ConnectListing {
        var next: String? = "\(path)?" + (["limit=\(Self.pageSize)"] + query).joined(separator: "&")
        var listing = ConnectListing()
        var pages = 0
        while let page = next {
            guard pages < Self.maxPages else {
                throw AppStoreError(
                    .malformedAnswer, "App Store Connect lists more than \(Self.maxPages) pages under one address")
            }
            let answer = try await ask(page)
            listing.elements += answer.objects("data").compactMap(ConnectResource.init)
            listing.included += answer.objects("included").compactMap(ConnectResource.init)
            next = try answer.object("links")?.text("next").map { link throws(AppStoreError) in try self.path(of: link) }
            pages += 1
        }
        return listing
    }

    /// Returns the path of the next page. Throws if the link leads to another host, because that host must not receive the token.
    private func path(of link: String) throws(AppStoreError) -> String {
        guard link.utf8.starts(with: "\(baseURL)/".utf8) else {
            throw AppStoreError(.malformedAnswer, "App Store Connect names a next page at another address")
        }
        return String(link.dropFirst(baseURL.count))
    }

    private func ask(_ path: String) async throws(AppStoreError) -> AppleObject {
        try await host.call { baseURL throws(AppStoreError) in
            AppStoreRequest(baseURL, path, token: try await token.token(at: system.now()))
        } judge: { response, _ in
            ConnectAPI.judge(response)
        }
    }

    private static func judge(_ response: AppStoreResponse) -> Judgement<AppleObject> {
        let object = AppleObject(parsing: response.body)
        if response.status == 200 {
            let malformed = AppStoreError(.malformedAnswer, "App Store Connect answered 200 without a JSON object")
            return .final(object.map { .success($0) } ?? .failure(malformed))
        }
        let code = object?.objects("errors").first?.text("code").map(plain) ?? ""
        let words =
            "App Store Connect answers \(response.status)" + (code.isEmpty ? "" : " (\(code))") + remedy(for: response.status)
        let judgement: Judgement<AppleObject> = response.judgedByStatus()
        switch judgement {
        case .final(.failure(let error)): return .final(.failure(AppStoreError(error.code, words)))
        case .retry(.failure(let error), let notBefore, let isHostFailure):
            return .retry(
                orElse: .failure(AppStoreError(error.code, words, retryAt: error.retryAt)), notBefore: notBefore,
                isHostFailure: isHostFailure)
        case .final, .retry: return judgement
        }
    }

    private static func remedy(for status: Int) -> String {
        switch status {
        case 401:
            ": the key id, the issuer id or the kind of key (team or individual) is wrong, the key was revoked, or the clock here is wrong"
        case 403: ": the key's role may not read subscriptions; give it App Manager, Admin or Developer, and this app"
        case 429: ": too many requests this hour; try again later"
        case 404: ": nothing is served at this address; correct appStore.connectAPI"
        default: ""
        }
    }

    /// Keeps at most 64 characters, and only such as occur in Apple's error codes, because the text of an answer gets into logs.
    private static func plain(_ code: String) -> String {
        String(code.prefix(64).filter { $0.isASCII && ($0.isLetter || $0.isNumber || "_.".contains($0)) })
    }
}
