package import EligibilityRules
import OfferSigning

/// Somebody who is signed in to the console.
package struct ConsoleVisitor: Sendable {
    package let caller: Caller
    /// What every form of this session carries, and no form of another.
    package let formToken: String
    package let signedInAt: Instant
    let sessionDigest: [UInt8]

    /// Whether a form is of this session.
    package func owns(formToken other: String) -> Bool { Crypto.constantTimeEqual(Array(other.utf8), Array(formToken.utf8)) }
}
