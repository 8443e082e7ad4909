import FoundationEssentials

/// The origin and the resource of a URL.
struct HTTPTarget {
    let origin: HTTPOrigin
    /// The value of the header Host.
    let authority: String
    /// The path and the query, as the request line contains them.
    let path: String

    /// Returns nil unless `url` is an absolute http or https URL without user and password.
    init?(_ url: String) {
        guard let parts = URLComponents(string: url), let scheme = parts.scheme?.lowercased(),
            scheme == "http" || scheme == "https",
            let host = parts.host, !host.isEmpty, parts.user == nil, parts.password == nil
        else { return nil }
        let name = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        origin = HTTPOrigin(isSecure: scheme == "https", host: name, port: parts.port ?? (scheme == "https" ? 443 : 80))
        authority = (name.contains(":") ? "[\(name)]" : name) + (parts.port.map { ":\($0)" } ?? "")
        path =
            (parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath)
            + (parts.percentEncodedQuery.map { "?\($0)" } ?? "")
    }
}
