import EligibilityRules
package import OfferSigning

/// An issuer whose tokens are accepted, and the apps that they are for.
package struct TokenIssuer: Sendable {
    /// The value of `iss` in the issuer's tokens, which is compared exactly.
    package let name: String
    /// The algorithms that a token may be signed with.
    package let algorithms: Set<TokenAlgorithm>
    /// How far the clock of the issuer may differ from this machine's clock, in ms.
    package let leeway: Int64
    /// The claim that holds the customer's `appAccountToken`; nil if none does.
    package let accountTokenClaim: String?
    /// The claim that holds the `appTransactionId` of the customer's Apple account; nil if none does.
    package let appTransactionClaim: String?
    /// The bundle ids for each value of `aud`.
    let audiences: [ExactText: Set<String>]
    package let keys: CurrentTokenKeys

    /// - Parameter audiences: the bundle ids for each value of `aud`.
    package init(
        name: String,
        algorithms: Set<TokenAlgorithm>,
        leeway: Int64,
        accountTokenClaim: String?,
        appTransactionClaim: String? = nil,
        audiences: [String: Set<String>],
        keys: CurrentTokenKeys
    ) {
        self.name = name
        self.algorithms = algorithms
        self.leeway = leeway
        self.accountTokenClaim = accountTokenClaim
        self.appTransactionClaim = appTransactionClaim
        self.audiences = Dictionary(audiences.map { (ExactText($0.key), $0.value) }) { $0.union($1) }
        self.keys = keys
    }

    /// The apps that a token with these audiences is for; empty if it is for none of the apps here.
    func apps(of audiences: [String]) -> Set<String> {
        audiences.reduce(into: []) { apps, audience in apps.formUnion(self.audiences[ExactText(audience)] ?? []) }
    }
}
