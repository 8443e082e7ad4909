/// Finds the operation at a path.
///
/// If a path matches both a path without a parameter and one with a parameter, the one without takes precedence.
struct EndpointDirectory: Sendable {
    /// The operation that a request is for, and the value of the parameter in its path.
    struct Match {
        let endpoint: any Endpoint
        /// The endpoint's declaration. It is stored here, because each request reads it several times.
        let operation: Operation
        /// The value of the parameter without percent escapes; nil if the path has no parameter, or if the escapes are invalid.
        let parameter: String?
    }

    private struct Pattern {
        let prefix: String
        let suffix: String
        let match: Match
    }

    private let plain: [String: Match]
    private let patterns: [Pattern]

    init(_ endpoints: [any Endpoint]) {
        var plain: [String: Match] = [:]
        var patterns: [Pattern] = []
        for endpoint in endpoints {
            let path = endpoint.operation.path
            let match = Match(endpoint: endpoint, operation: endpoint.operation, parameter: nil)
            if let open = path.firstIndex(of: "{"), let close = path.firstIndex(of: "}") {
                let suffix = String(path[path.index(after: close)...])
                patterns.append(Pattern(prefix: String(path[..<open]), suffix: suffix, match: match))
            } else {
                plain[path] = match
            }
        }
        self.plain = plain
        self.patterns = patterns
    }

    /// Returns the operation at a URI, regardless of the query.
    func match(_ uri: String) -> Match? {
        if let match = plain[uri] { return match }
        let path = EndpointDirectory.path(of: uri)
        if let match = plain[path] { return match }
        for pattern in patterns where path.hasPrefix(pattern.prefix) && path.hasSuffix(pattern.suffix) {
            let parameter = path.dropFirst(pattern.prefix.count).dropLast(pattern.suffix.count)
            guard !parameter.isEmpty, !parameter.utf8.contains(UInt8(ascii: "/")) else { continue }
            guard path.utf8.count > pattern.prefix.utf8.count + pattern.suffix.utf8.count else { continue }
            let found = pattern.match
            return Match(endpoint: found.endpoint, operation: found.operation, parameter: PercentEncoding.decoded(parameter))
        }
        return nil
    }

    /// Returns the path of a request target.
    ///
    /// A request that was written for a proxy has a target that begins with the scheme and the host (RFC 9112).
    private static func path(of uri: String) -> String {
        var path = uri.utf8[...]
        if path.first != UInt8(ascii: "/"), let scheme = uri.firstRange(of: "://") {
            // After the host, a query may follow without a path. Slashes in the query do not belong to a path.
            path = path[scheme.upperBound...].drop { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        }
        return String(Substring(path.prefix { $0 != UInt8(ascii: "?") }))
    }
}
