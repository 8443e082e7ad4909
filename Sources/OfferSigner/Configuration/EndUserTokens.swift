import FoundationEssentials
import OfferSigning

/// The tokens that an app accepts from its users, as configured.
struct EndUserTokens: Equatable {
    /// Where the public keys of the issuer are found.
    enum KeySource: Hashable {
        case file(String)
        case url(String)
    }

    /// The claim `iss`.
    let issuer: String
    /// The values of `aud` that are for the app.
    let audiences: [String]
    let algorithms: Set<TokenAlgorithm>
    let source: KeySource
    /// The time between two reads of the issuer's keys.
    let refreshSeconds: Int64
    /// How long keys stay in use if they cannot be read again.
    let maxAgeSeconds: Int64
    let leewaySeconds: Int64
    /// The claim that has the user's account token; nil if none has.
    let accountTokenClaim: String?
    /// The claim that has the `appTransactionId` of the user's Apple account; nil if none has.
    let appTransactionClaim: String?

    /// Whether both describe the same issuer in the same way. Audiences may differ.
    func isSameIssuer(as other: EndUserTokens) -> Bool {
        issuer == other.issuer && algorithms == other.algorithms && source == other.source
            && refreshSeconds == other.refreshSeconds && maxAgeSeconds == other.maxAgeSeconds
            && leewaySeconds == other.leewaySeconds && accountTokenClaim == other.accountTokenClaim
            && appTransactionClaim == other.appTransactionClaim
    }
}

extension EndUserTokens {
    /// The time between two checks of a file, which is the same for all files that the service reads again.
    private static let fileSeconds: Int64 = 1

    /// Reads `endUserTokens` of an app, whose keys have been checked. Returns nil, and records problems, if something is missing.
    init?(_ node: ConfigurationNode, path: String, _ problems: inout [String]) {
        func number(_ node: ConfigurationNode?, _ key: String, _ fallback: Int64) -> Int64 {
            node?.text(key).flatMap { Int64($0) } ?? fallback
        }
        let jwks = node["jwks"]
        let audiences = node["audiences"]?.scalars ?? []
        if node.text("issuer") == nil { problems.append("\(path).issuer: is missing; it is what the tokens have as iss") }
        if audiences.isEmpty { problems.append("\(path).audiences: is missing; a token's aud must have one of them") }
        let algorithms = Self.algorithms(node, path, &problems)
        let source = Self.source(jwks, "\(path).jwks", algorithms, &problems)
        guard let issuer = node.text("issuer"), !audiences.isEmpty, let source else { return nil }
        let refresh = number(jwks, "refreshSeconds", 300)
        let interval = if case .file = source { Self.fileSeconds } else { refresh }
        self.init(
            issuer: issuer, audiences: audiences, algorithms: algorithms, source: source,
            refreshSeconds: interval,
            maxAgeSeconds: number(jwks, "maxAgeSeconds", 86_400), leewaySeconds: number(node, "leewaySeconds", 30),
            accountTokenClaim: node.text("appAccountTokenClaim"), appTransactionClaim: node.text("appTransactionIdClaim"))
        if maxAgeSeconds < refresh { problems.append("\(path).jwks.maxAgeSeconds: is less than refreshSeconds") }
        if case .file = source, jwks?["refreshSeconds"] != nil {
            problems.append("\(path).jwks.refreshSeconds: is for url; a file is looked at every second")
        }
    }

    private static func algorithms(
        _ node: ConfigurationNode,
        _ path: String,
        _ problems: inout [String]
    ) -> Set<TokenAlgorithm> {
        guard let names = node["algorithms"]?.scalars else { return Set(TokenAlgorithm.allCases) }
        var algorithms: Set<TokenAlgorithm> = []
        for name in names {
            guard let algorithm = TokenAlgorithm(rawValue: name) else {
                let known = TokenAlgorithm.allCases.map(\.rawValue).joined(separator: ", ")
                problems.append("\(path).algorithms: \(name) is not supported; use one of \(known)")
                continue
            }
            algorithms.insert(algorithm)
        }
        if names.isEmpty { problems.append("\(path).algorithms: is empty; leave it out for all") }
        return algorithms
    }

    private static func source(
        _ jwks: ConfigurationNode?,
        _ path: String,
        _ algorithms: Set<TokenAlgorithm>,
        _ problems: inout [String]
    ) -> KeySource? {
        switch (jwks?.text("file"), jwks?.text("url")) {
        case (let file?, nil):
            check(file, "\(path).file", algorithms, &problems)
            return .file(file)
        case (nil, let url?): return .url(url)
        default:
            problems.append("\(path): give file or url, where the public keys of the issuer are")
            return nil
        }
    }

    /// Checks a file of keys at once, so that its faults are reported before the first user arrives.
    private static func check(
        _ file: String,
        _ path: String,
        _ algorithms: Set<TokenAlgorithm>,
        _ problems: inout [String]
    ) {
        do {
            let keys = try TokenKeySet(json: try TokenKeyFile.read(file), algorithms: algorithms)
            guard keys.keys.isEmpty else { return }
            let reasons = keys.faults.isEmpty ? "it is empty" : keys.faults.joined(separator: "; ")
            problems.append("\(path): \(file) has no key that can be used: \(reasons)")
        } catch let error as ConfigurationError {
            problems += error.problems.map { "\(path): \($0)" }
        } catch let error as TokenError {
            problems.append("\(path): \(file): \(error.detail)")
        } catch {
            problems.append("\(path): \(error)")
        }
    }

    /// Returns the fault of the keys' address; nil if there is none.
    func fault(isProduction: Bool) -> String? {
        guard case .url(let text) = source else { return nil }
        let schemes = isProduction ? ["https"] : ["https", "http"]
        let url = URL(string: text)
        guard let url, let scheme = url.scheme?.lowercased(), schemes.contains(scheme), url.host?.isEmpty == false else {
            let wanted = schemes.map { "\($0)://" }.joined(separator: " or ")
            return "must be a URL that begins with \(wanted) in \(isProduction ? "production" : "development")"
        }
        guard url.user == nil, url.password == nil, url.fragment == nil else {
            return "must be a URL without a user, a password and a fragment: public keys need none"
        }
        return nil
    }
}

/// A file with the public keys of a token issuer.
enum TokenKeyFile {
    /// Returns the document. Throws if another user can change the file, because that user could make tokens for every customer.
    static func read(_ path: String) throws(ConfigurationError) -> [UInt8] {
        do {
            try KeyFile.checkOwner(of: path)
            try KeyFile.checkOnlyOwnerWrites(path)
        } catch {
            throw ConfigurationError(error.detail)
        }
        try TextFile.checkReadable(path, for: nil)
        guard let size = FileStatus(path: path)?.size, size <= Int64(TokenKeySet.maxSize) else {
            throw ConfigurationError("\(path) is larger than \(TokenKeySet.maxSize) bytes")
        }
        return Array(try TextFile.read(path).utf8)
    }
}
