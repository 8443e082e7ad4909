/// Why somebody is not signed in to the console.
package enum SignInError: Error, Equatable {
    /// Mistyped, unknown, expired or revoked: which of these is nobody's business.
    case wrongKey
    /// A key for programs.
    case notForPeople(Role)
    /// The role's keys are taken only with a client certificate, and there is none.
    case certificateNeeded
    /// A link that was used, or is too old.
    case linkUsed
    /// Somebody whom the sign-in proxy names, and who has no good access key here.
    case unknownPerson
    /// Too many wrong keys from one address; whole seconds until the next try.
    case tooManyTries(seconds: Int64)
}
