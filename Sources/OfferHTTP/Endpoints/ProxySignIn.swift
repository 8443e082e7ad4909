import HTTPTypes
import OfferService

/// Signs users in by a header that a proxy for single sign-on sets. It knows which proxies are trusted, and which access key each
/// person has whom they name.
package struct ProxySignIn: Sendable {
    /// The reason for refusing a header.
    package enum Refusal: String, CaseIterable, Sendable {
        /// The header came from an address that is not a trusted proxy's.
        case elsewhere
        /// The header occurs twice, is empty or too long, or has characters that are not allowed in a name.
        case unusable
        /// The header names a person for whom the configuration names no access key.
        case unknown
    }

    private static let maxName = 254
    // These headers cannot be the proxy's, because requests have them for other reasons, and a browser may set them itself.
    private static let taken: Set = [
        "authorization", "cookie", "host", "origin", "user-agent", "x-forwarded-for", "x-request-id",
    ]

    private let addresses: [AddressRange]
    private let header: HTTPField.Name
    private let accessIDs: [String: String]

    /// Returns nil if `header` cannot be the name of the proxy's header.
    ///
    /// - Parameter accessIDs: the ids of the access keys, by the names that their holders have at the proxy.
    package init?(addresses: [AddressRange], header: String, accessIDs: [String: String]) {
        guard let name = Self.headerName(header) else { return nil }
        self.addresses = addresses
        self.header = name
        self.accessIDs = accessIDs
    }

    /// Returns the person whom the proxy names; nil if there is no header, or if it does not come from a trusted proxy.
    ///
    /// If there is a header but it cannot be used, the result is an unknown person and not nil. Otherwise a malformed header
    /// would have the same effect as no header.
    ///
    /// - Parameters:
    ///   - peer: the address of the connection itself, and not an address that a header reports.
    ///   - refuse: receives the reason if the header is refused.
    func person(in headers: HTTPFields, from peer: String, refuse: (Refusal) -> Void) -> ProxiedPerson? {
        let values = headers[values: header]
        guard let name = values.first else { return nil }
        guard addresses.contains(where: { $0.contains(peer) }) else {
            refuse(.elsewhere)
            return nil
        }
        guard values.count == 1, Self.isName(name) else {
            refuse(.unusable)
            return ProxiedPerson(name: "", accessID: nil)
        }
        let accessID = accessIDs[name]
        if accessID == nil { refuse(.unknown) }
        return ProxiedPerson(name: name, accessID: accessID)
    }

    /// Whether a text can be the name of the proxy's header: it is a header name, and requests do not have that header for
    /// another reason.
    package static func isHeader(_ text: String) -> Bool { headerName(text) != nil }

    private static func headerName(_ text: String) -> HTTPField.Name? {
        HTTPField.Name(text).flatMap { taken.contains($0.canonicalName) ? nil : $0 }
    }

    /// Whether a text can be a person's name at the proxy: it has 1 to 254 visible ASCII characters.
    package static func isName(_ text: String) -> Bool {
        (1...maxName).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}
