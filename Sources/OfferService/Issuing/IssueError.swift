package import FoundationEssentials

/// Why a whole request for signatures is refused.
package enum IssueError: Error, Equatable {
    /// The caller's role may not grant introductory offers.
    case overrideNotAllowed(Role)
    /// The product has no such offer.
    ///
    /// `near` suggests similar names in the words of `NearNames`; empty if there are none.
    case unknownOffer(productID: String, offerID: String, near: String = "")
    case nonceReplayed(UUID)
    case nonceNotIssued(UUID)
    case nonceExpired(UUID)
    case idempotencyKeyReused
    /// The access key was revoked while the request was processed.
    case callerRevoked
    /// Nothing can be signed now: the reason in plain words, and the part that is to blame.
    case notReady(String, of: Failure.Subject = .service)

    /// Why nothing can be signed now; empty if the request is wrong.
    package var reason: String { if case .notReady(let reason, _) = self { reason } else { "" } }
}

extension IssueError: FailureDescribing {
    package var asFailure: Failure {
        guard case .notReady(let reason, let subject) = self else { return .unexpected(self) }
        return Failure(subject, "not-ready", reason)
    }
}
