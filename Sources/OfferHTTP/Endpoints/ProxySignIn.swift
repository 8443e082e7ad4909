import HTTPTypes
import OfferService

/// Sign-in by a header that an SSO proxy sets: the trusted proxies, and the persons that they name.
package struct ProxySignIn: Sendable {
    /// The reason for refusing a header.
    package enum Refusal: String, CaseIterable, Sendable {
        /// It came from an address that is not a proxy's.
        case elsewhere
        /// It occurs twice, is empty, too long, or has characters that no name has.
        case unusable
        /// It names a person who has no access key here.
        case unknown
    }

    private static let maxName = 254
    // Requests have these headers for other reasons, and browsers fill them.
    private static let taken: Set = [
        "authorization", "cookie", "host", "origin", "user-agent", "x-forwarded-for", "x-request-id",
    ]

    private let addresses: [AddressRange]
    private let header: HTTPField.Name
    private let accessIDs: [String: String]

    /// Returns nil for a header that cannot be used.
    ///
    /// - Parameter accessIDs: the ids of access keys, by their holders' names at the proxy.
    package init?(addresses: [AddressRange], header: String, accessIDs: [String: String]) {
        guard let name = Self.headerName(header) else { return nil }
        self.addresses = addresses
        self.header = name
        self.accessIDs = accessIDs
    }

    /// Returns the person that the proxy names; nil if it names none, or the header is not the proxy's.
    ///
    /// An unusable header names an unknown person: it must not pass for an absent header.
    ///
    /// - Parameters:
    ///   - peer: the address of the connection, whatever headers say.
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

    /// Whether a text can be the header: a name that requests do not have for another reason.
    package static func isHeader(_ text: String) -> Bool { headerName(text) != nil }

    private static func headerName(_ text: String) -> HTTPField.Name? {
        HTTPField.Name(text).flatMap { taken.contains($0.canonicalName) ? nil : $0 }
    }

    /// Whether a text can be a name: 1 to 254 visible ASCII characters.
    package static func isName(_ text: String) -> Bool {
        (1...maxName).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}
