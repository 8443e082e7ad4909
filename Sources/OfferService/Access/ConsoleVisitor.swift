package import EligibilityRules
import OfferSigning

/// A person who is signed in to the console.
package struct ConsoleVisitor: Sendable {
    package let caller: Caller
    /// The token that every form of this session carries, and no form of another session. With it the console recognises a form
    /// that another site has made up.
    package let formToken: String
    package let signedInAt: Instant
    let sessionDigest: [UInt8]

    /// Whether a form token belongs to this session.
    package func owns(formToken other: String) -> Bool { Crypto.constantTimeEqual(Array(other.utf8), Array(formToken.utf8)) }
}

/// One session, as its owner sees it in a list.
package struct ConsoleSession: Equatable, Sendable {
    package let signedInAt: Instant
    package let lastSeenAt: Instant
    package let address: String
    package let userAgent: String
    /// Whether it is the session of the present request.
    package let isThis: Bool
}

/// A person named by a sign-in proxy.
package struct ProxiedPerson: Equatable, Sendable {
    /// The name as the proxy sends it; empty if the name cannot be read.
    package let name: String
    /// The person's access key; nil if there is none of this name.
    let accessID: String?

    /// Whether there is an access key of this name.
    ///
    /// The key may be expired or revoked.
    package var isKnown: Bool { accessID != nil }

    package init(name: String, accessID: String?) {
        self.name = name
        self.accessID = accessID
    }
}
