import HTTPTypes
import OfferService

/// Sign-in by a header that an SSO proxy sets: whose word counts, and who the named persons are.
package struct ProxySignIn: Sendable {
    /// Why a header did not count.
    package enum Refusal: String, CaseIterable, Sendable {
        /// It came from an address that is no proxy's.
        case elsewhere
        /// It came twice, is empty, too long, or has characters that no name has.
        case unusable
        /// It names somebody who has no access key here.
        case unknown
    }

    private static let maxName = 254
    // A request has these for other reasons, and browsers fill them.
    private static let taken: Set = [
        "authorization", "cookie", "host", "origin", "user-agent", "x-forwarded-for", "x-request-id",
    ]

    private let addresses: [AddressRange]
    private let header: HTTPField.Name
    private let accessIDs: [String: String]

    /// Nil for a header that cannot serve.
    ///
    /// - Parameter accessIDs: ids of access keys, by the names that the proxy knows their holders by.
    package init?(addresses: [AddressRange], header: String, accessIDs: [String: String]) {
        guard let name = Self.headerName(header) else { return nil }
        self.addresses = addresses
        self.header = name
        self.accessIDs = accessIDs
    }

    /// Whom the proxy names; nil if it names nobody, or the header is not the proxy's.
    ///
    /// A header that cannot be used names somebody who is nobody: it must not pass for no header.
    ///
    /// - Parameters:
    ///   - peer: the address that the connection comes from, whatever headers say.
    ///   - refuse: is told if the header does not count.
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

    /// Whether a text can be the header: a name that no request has for another reason.
    package static func isHeader(_ text: String) -> Bool { headerName(text) != nil }

    private static func headerName(_ text: String) -> HTTPField.Name? {
        HTTPField.Name(text).flatMap { taken.contains($0.canonicalName) ? nil : $0 }
    }

    /// Whether a text can be a name: 1 to 254 visible ASCII characters.
    package static func isName(_ text: String) -> Bool {
        (1...maxName).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}
