public import EligibilityRules

/// A decision about a signing key in one app. The latest decision applies, unless an earlier one has revoked the key.
public struct KeyDecision: Equatable, Sendable {
    /// The state of a key that must not be used again. The ledger refuses all signatures made with it.
    package static let revoked = "revoked"
    /// Stands for a bundle id in a decision that concerns the key alone, such as its staging for every app.
    package static let everyApp = ""
    /// The actor of the decision that records which key signs at the first start.
    package static let firstStart = "first-start"

    /// Apple's key id.
    public let keyID: String
    /// The app's bundle id; `everyApp` if it names none.
    public let bundleID: String
    /// The name of the state that the decision puts the key in.
    public let state: String
    /// When the decision was made.
    public let decidedAt: Instant
    /// The actor: an access key's id, or `command-line`.
    public let decidedBy: String
    /// The reason, in the actor's words.
    public let reason: String
    /// SHA-256 of the public key that was decided about; nil if its file could not be read.
    public let fingerprint: String?

    /// Takes the values as they are.
    public init(
        keyID: String,
        bundleID: String,
        state: String,
        decidedAt: Instant,
        decidedBy: String,
        reason: String,
        fingerprint: String? = nil
    ) {
        self.keyID = keyID
        self.bundleID = bundleID
        self.state = state
        self.decidedAt = decidedAt
        self.decidedBy = decidedBy
        self.reason = reason
        self.fingerprint = fingerprint
    }

    /// What the audit event of the decision has as its object.
    ///
    /// - Parameters:
    ///   - number: its place among all decisions, from 1. With it, no other order and no second copy has the same events.
    ///   - before: the state of the key before; nil if it had none.
    package func object(number: Int, before: String? = nil) -> AuditObject {
        AuditObject(
            keyID, before: before,
            after: "\(state), decision \(number)" + (fingerprint.map { ", fingerprint \($0)" } ?? ""))
    }

    /// The state in the text that `object` makes, and the number; events of earlier builds have no number.
    package static func read(_ after: String) -> (state: Substring, number: Int64?) {
        let parts = after.split(separator: ", ", omittingEmptySubsequences: false)
        let number = parts.dropFirst().first.flatMap { $0.hasPrefix("decision ") ? Int64($0.dropFirst(9)) : nil }
        return (parts[0], number)
    }
}
