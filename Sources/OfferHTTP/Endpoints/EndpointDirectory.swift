/// The operations by path. Paths with a parameter come last.
struct EndpointDirectory: Sendable {
    /// An operation, and the value of its path's parameter in a request.
    struct Match {
        let endpoint: any Endpoint
        /// The value with percent escapes resolved; nil if the path has no parameter, or broken escapes.
        let parameter: String?
    }

    private struct Pattern {
        let prefix: String
        let suffix: String
        let endpoint: any Endpoint
    }

    private let plain: [String: any Endpoint]
    private let patterns: [Pattern]

    init(_ endpoints: [any Endpoint]) {
        var plain: [String: any Endpoint] = [:]
        var patterns: [Pattern] = []
        for endpoint in endpoints {
            if let open = endpoint.path.firstIndex(of: "{"), let close = endpoint.path.firstIndex(of: "}") {
                let suffix = String(endpoint.path[endpoint.path.index(after: close)...])
                patterns.append(Pattern(prefix: String(endpoint.path[..<open]), suffix: suffix, endpoint: endpoint))
            } else {
                plain[endpoint.path] = endpoint
            }
        }
        self.plain = plain
        self.patterns = patterns
    }

    /// Returns the operation at a URI, regardless of the query.
    func match(_ uri: String) -> Match? {
        if let endpoint = plain[uri] { return Match(endpoint: endpoint, parameter: nil) }
        let path = EndpointDirectory.path(of: uri)
        if let endpoint = plain[path] { return Match(endpoint: endpoint, parameter: nil) }
        for pattern in patterns where path.hasPrefix(pattern.prefix) && path.hasSuffix(pattern.suffix) {
            let parameter = path.dropFirst(pattern.prefix.count).dropLast(pattern.suffix.count)
            guard !parameter.isEmpty, !parameter.utf8.contains(UInt8(ascii: "/")) else { continue }
            guard path.utf8.count > pattern.prefix.utf8.count + pattern.suffix.utf8.count else { continue }
            return Match(endpoint: pattern.endpoint, parameter: PercentEncoding.decoded(parameter))
        }
        return nil
    }

    /// Returns the path of a request target. Requests to a proxy have a target with scheme and authority (RFC 9112).
    private static func path(of uri: String) -> String {
        var path = uri.utf8[...]
        if path.first != UInt8(ascii: "/"), let scheme = uri.firstRange(of: "://") {
            // A query may follow the authority directly. Slashes in it are not part of the path.
            path = path[scheme.upperBound...].drop { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        }
        return String(Substring(path.prefix { $0 != UInt8(ascii: "?") }))
    }
}
