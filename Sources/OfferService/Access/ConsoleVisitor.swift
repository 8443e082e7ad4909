package import EligibilityRules
import OfferSigning

/// A person who is signed in to the console.
package struct ConsoleVisitor: Sendable {
    package let caller: Caller
    /// The token that every form of this session carries, and no form of another session.
    package let formToken: String
    package let signedInAt: Instant
    let sessionDigest: [UInt8]

    /// Whether a form token belongs to this session.
    package func owns(formToken other: String) -> Bool { Crypto.constantTimeEqual(Array(other.utf8), Array(formToken.utf8)) }
}
