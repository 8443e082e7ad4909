import FoundationEssentials

/// Why a whole request for signatures is refused.
enum IssueError: Error, Equatable {
    case unknownApp(String)
    /// The caller's key does not cover this app.
    case appNotAllowed(String)
    /// No app was named and the caller may use several.
    case appNotNamed
    /// The caller's role may not grant introductory offers.
    case overrideNotAllowed(Role)
    case unknownProduct(String)
    case unknownOffer(productID: String, offerID: String)
    case nonceReplayed(UUID)
    case nonceNotIssued(UUID)
    case nonceExpired(UUID)
    case idempotencyKeyReused
    /// The app has no issuer id, which a JWS needs.
    case issuerIDMissing(String)
    /// Nothing can be signed now; why, in plain words, and what is to blame.
    case notReady(String, of: Failure.Subject = .service)

    /// Why nothing can be signed now; empty for what is wrong with the request.
    var reason: String { if case .notReady(let reason, _) = self { reason } else { "" } }
}
