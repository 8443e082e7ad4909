package import FoundationEssentials

/// Why a whole request for signatures is refused.
package enum IssueError: Error, Equatable {
    /// The caller's role does not have the permission to grant introductory offers.
    case overrideNotAllowed(Role)
    /// The product has no such offer.
    ///
    /// `near` is a hint at offers with similar ids, in the words of `NearNames`; empty if there are none.
    case unknownOffer(productID: String, offerID: String, near: String = "")
    case nonceReplayed(UUID)
    case nonceNotIssued(UUID)
    case nonceExpired(UUID)
    case idempotencyKeyReused
    /// The access key was revoked while the request was processed.
    case callerRevoked
    /// The service cannot sign at the moment: the reason in plain words, and the part that is at fault.
    case notReady(String, of: Failure.Subject = .service)

    /// Why the service cannot sign at the moment; empty if the request is at fault.
    package var reason: String { if case .notReady(let reason, _) = self { reason } else { "" } }
}

extension IssueError: FailureDescribing {
    package var asFailure: Failure {
        guard case .notReady(let reason, let subject) = self else { return .unexpected(self) }
        return Failure(subject, "not-ready", reason)
    }
}
