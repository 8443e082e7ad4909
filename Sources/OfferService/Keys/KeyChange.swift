package import EligibilityRules
import OfferStore

/// What came of a wish about a signing key.
package enum KeyChange: Equatable, Sendable {
    /// Where a key stands now.
    package struct Effect: Equatable, Sendable {
        package let keyID: String
        package let bundleID: String
        /// The name of the state.
        package let state: String
    }

    /// What waits for a second person.
    package struct Pending: Equatable, Sendable {
        package let id: String
        /// The name of the wish.
        package let wish: String
        package let keyID: String
        package let bundleIDs: [String]
        package let proposedAt: Instant
        /// An access key's id.
        package let proposedBy: String
        package let reason: String

        init(_ proposal: KeyProposal) {
            id = proposal.id
            wish = proposal.wish
            keyID = proposal.keyID
            bundleIDs = proposal.bundleIDs
            proposedAt = proposal.proposedAt
            proposedBy = proposal.proposedBy
            reason = proposal.reason
        }

        /// Until when it waits.
        package var expiresAt: Instant { proposedAt.advanced(by: KeyDesk.proposalLifetime) }
    }

    /// It holds.
    case decided([Effect])
    /// It holds once a second person agrees.
    case pending(Pending)
}
