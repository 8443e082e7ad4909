import EligibilityRules
import FoundationEssentials
import NIOCore
package import OfferSigning
import WireText

/// The end users: verifies their tokens (RFC 7519, RFC 8725), and remembers those that verified.
package final class EndUserDirectory: Sendable {
    private static let maxRemembered = 32_768
    private static let maxRates = 262_144
    /// Includes those that wait for the issuer's keys.
    private static let maxExamined = 512

    /// Receives the code of every token that is refused.
    package typealias Observer = @Sendable (_ code: String) -> Void

    private let issuers: [ExactText: TokenIssuer]
    private let names: AuthenticationKey
    private let system: SystemEnvironment
    private let observer: Observer
    private let verified = VerifiedTokens(capacity: maxRemembered)
    private let rates = EndUserRates(capacity: maxRates) { Int64(NIODeadline.now().uptimeNanoseconds) }
    /// A thread for which only end users wait, because unauthenticated clients may send any number of tokens.
    package let executor = BoundedExecutor(threads: 1, limit: maxExamined, niceness: 5, refusal: EndUserError.busy)

    /// - Parameters:
    ///   - issuers: each once.
    ///   - names: derives callers' ids from issuers and customers. Without it no id can be traced to a customer.
    package init(
        issuers: [TokenIssuer],
        names: AuthenticationKey,
        system: SystemEnvironment,
        observer: @escaping Observer = { _ in }
    ) {
        self.issuers = Dictionary(issuers.map { (ExactText($0.name), $0) }) { first, _ in first }
        self.names = names
        self.system = system
        self.observer = observer
    }

    /// Whether a text may be a token of an end user: no other credential has two full stops.
    package static func isPossible(_ text: Substring) -> Bool {
        text.utf8.count <= PresentedToken.maxSize && text.utf8.count(where: { $0 == UInt8(ascii: ".") }) == 2
    }

    /// The end user of a token that was verified; nil if it must be verified first.
    package func caller(_ token: Substring) -> Caller? {
        verified.caller(Crypto.sha256(token.utf8), at: system.now().milliseconds)
    }

    /// Verifies a token. Looks for the issuer's keys again if the token names an unknown one.
    package func verify(_ token: String) async throws -> Caller {
        do {
            let presented = try PresentedToken(token[...])
            guard let issuer = issuers[ExactText(try TokenClaims.issuer(of: presented))] else {
                throw TokenError(.unknownIssuer, "no app of this service accepts tokens of this issuer (iss)")
            }
            guard issuer.algorithms.contains(presented.algorithm) else {
                throw TokenError(
                    .unsupportedAlgorithm, "the issuer's tokens are not signed with this algorithm (alg)")
            }
            let generation = try await check(presented, issuer)
            return try admit(token, TokenClaims(presented), issuer, generation)
        } catch let error as TokenError {
            observer(error.code.rawValue)
            throw EndUserError(error)
        }
    }

    /// Throws unless a key of the issuer made the signature. Returns the generation of the keys.
    private func check(_ token: PresentedToken, _ issuer: TokenIssuer) async throws -> Int {
        var snapshot = issuer.keys.current
        if snapshot?.keys.candidates(for: token).isEmpty ?? true {
            await issuer.keys.lookForUnknownKey()
            snapshot = issuer.keys.current
        }
        guard let snapshot else { throw EndUserError.keysUnavailable }
        let candidates = snapshot.keys.candidates(for: token)
        guard !candidates.isEmpty else {
            throw TokenError(.unknownKey, "the issuer has no key that fits the token (kid)")
        }
        guard candidates.contains(where: { $0.algorithm == token.algorithm }) else {
            throw TokenError(.unsupportedAlgorithm, "the key of the token (kid) is not for its algorithm (alg)")
        }
        guard candidates.contains(where: token.isSigned) else {
            throw TokenError(.invalidSignature, "the signature was not made with the token's key")
        }
        return snapshot.generation
    }

    /// Admits the customer of a genuine token that is valid now, for the apps that it is meant for.
    private func admit(
        _ token: String,
        _ claims: TokenClaims,
        _ issuer: TokenIssuer,
        _ generation: Int
    ) throws(TokenError) -> Caller {
        try claims.checkTime(at: system.now().milliseconds, leeway: issuer.leeway)
        let apps = issuer.apps(of: claims.audiences)
        guard !apps.isEmpty else {
            throw TokenError(.wrongAudience, "the token is for another service (aud): no app here has one of its audiences")
        }
        if let fault = Identifier.fault(of: claims.subject) {
            throw TokenError(.unusableClaim, "the token's sub cannot be a customerId: it \(fault)")
        }
        let id = callerID(issuer: issuer.name, subject: claims.subject)
        let caller = Caller(try endUser(claims, issuer), id: id, apps: apps, rate: rates.state(of: id))
        let begin = claims.notBefore.map { $0 - issuer.leeway } ?? .min
        let times = min(begin, claims.expiresAt + issuer.leeway)..<claims.expiresAt + issuer.leeway
        verified.insert(
            VerifiedTokens.Entry(caller: caller, keys: issuer.keys, generation: generation, times: times),
            for: Crypto.sha256(token.utf8))
        return caller
    }

    private func endUser(_ claims: TokenClaims, _ issuer: TokenIssuer) throws(TokenError) -> EndUser {
        guard let claim = issuer.accountTokenClaim, let text = claims.text(claim) else {
            // If the app's own id is a UUID, it is usually also what the app gives StoreKit.
            return EndUser(customerID: claims.subject, accountToken: UUID(text: claims.subject)?.lowerCaseString)
        }
        guard let token = UUID(text: text) else {
            throw TokenError(.unusableClaim, "the token's \(claim) is not a UUID, which an appAccountToken must be")
        }
        return EndUser(customerID: claims.subject, accountToken: token.lowerCaseString)
    }

    /// Distinguishes the customers of an issuer without naming any.
    private func callerID(issuer: String, subject: String) -> String {
        let code = names.withCode(for: Array(issuer.utf8) + [0] + Array(subject.utf8)) { Array($0.prefix(16)) }
        precondition(code != nil, "HMAC-SHA256 over memory does not fail")
        return "usr_\(Crypto.hexadecimal(code!))"
    }
}
