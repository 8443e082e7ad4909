package import EligibilityRules
import OfferStore

/// The outcome of a request to change a signing key.
package enum KeyChange: Equatable, Sendable {
    /// The state that a key now has in an app.
    package struct Effect: Equatable, Sendable {
        package let keyID: String
        package let bundleID: String
        /// The name of the state, such as `active`.
        package let state: String
    }

    /// A proposal that waits for a second person.
    package struct Pending: Equatable, Sendable {
        package let id: String
        /// What is proposed, such as `activate`.
        package let requestName: String
        package let keyID: String
        package let bundleIDs: [String]
        package let proposedAt: Instant
        /// The id of the proposer's access key.
        package let proposedBy: String
        package let reason: String

        init(_ proposal: KeyProposal) {
            id = proposal.id
            requestName = proposal.requestName
            keyID = proposal.keyID
            bundleIDs = proposal.bundleIDs
            proposedAt = proposal.proposedAt
            proposedBy = proposal.proposedBy
            reason = proposal.reason
        }

        /// When the proposal expires.
        package var expiresAt: Instant { proposedAt.advanced(by: KeyDesk.proposalLifetime) }
    }

    /// The decision is in force.
    case decided([Effect])
    /// The decision is in force once a second person agrees.
    case pending(Pending)
}
