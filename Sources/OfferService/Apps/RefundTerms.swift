package import EligibilityRules

/// How an app answers the App Store's questions about refunds.
package struct RefundTerms: Sendable {
    /// Whether answers leave.
    package enum Mode: String, Sendable, CaseIterable {
        /// Nothing is answered, and nothing is kept for it.
        case off
        /// Answers are made and shown, and none is sent.
        case dryRun = "dry-run"
        case send
    }

    package let mode: Mode
    /// The first one that applies decides.
    package let policies: [RefundPolicy]

    package init(mode: Mode, policies: [RefundPolicy] = []) {
        self.mode = mode
        self.policies = policies
    }

    /// Nothing is answered.
    package static let off = RefundTerms(mode: .off)
}
