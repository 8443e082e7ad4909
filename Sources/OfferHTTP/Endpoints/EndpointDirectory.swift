/// Finds the operation at a path.
///
/// A path that matches literally takes precedence over one with a parameter.
struct EndpointDirectory: Sendable {
    /// An operation, and the value of its path's parameter in a request.
    struct Match {
        let endpoint: any Endpoint
        /// The endpoint's declaration, stored here because each request reads it several times.
        let operation: Operation
        /// The value with percent escapes resolved; nil if the path has no parameter, or broken escapes.
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
    /// The target of a request to a proxy begins with scheme and authority (RFC 9112).
    private static func path(of uri: String) -> String {
        var path = uri.utf8[...]
        if path.first != UInt8(ascii: "/"), let scheme = uri.firstRange(of: "://") {
            // A query may follow the authority directly. Slashes in it are not part of the path.
            path = path[scheme.upperBound...].drop { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        }
        return String(Substring(path.prefix { $0 != UInt8(ascii: "?") }))
    }
}
