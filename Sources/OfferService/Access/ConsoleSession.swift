package import EligibilityRules

/// One session, as its owner sees it in a list.
package struct ConsoleSession: Equatable, Sendable {
    package let signedInAt: Instant
    package let lastSeenAt: Instant
    package let address: String
    package let userAgent: String
    /// Whether it is the session of the present request.
    package let isThis: Bool
}
