import EligibilityRules
import FoundationEssentials
import NIOCore
package import OfferSigning
import WireText

/// Who the end users are: verifies their tokens (RFC 7519, 8725), and remembers those that verified.
package final class EndUserDirectory: Sendable {
    private static let maxRemembered = 32_768
    private static let maxRates = 262_144
    /// Those that wait for the issuer's keys included.
    private static let maxExamined = 512

    /// What is told of every token that is refused: the code.
    package typealias Observer = @Sendable (_ code: String) -> Void

    private let issuers: [ExactText: TokenIssuer]
    private let names: AuthenticationKey
    private let system: SystemEnvironment
    private let observer: Observer
    private let verified = VerifiedTokens(capacity: maxRemembered)
    private let rates = EndUserRates(capacity: maxRates) { Int64(NIODeadline.now().uptimeNanoseconds) }
    /// Strangers may send as many tokens as they like: nobody but end users waits for this thread.
    package let executor = BoundedExecutor(threads: 1, limit: maxExamined, niceness: 5, refusal: EndUserError.busy)

    /// - Parameters:
    ///   - issuers: each once.
    ///   - names: makes the callers' ids of issuers and customers: without it nobody can tell who is behind one.
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

    /// Whether a text may be a token of an end user: nothing else has two full stops.
    package static func isPossible(_ text: Substring) -> Bool {
        text.utf8.count <= PresentedToken.maxSize && text.utf8.count(where: { $0 == UInt8(ascii: ".") }) == 2
    }

    /// The end user of a token that has been verified; nil if that has to be done first.
    package func caller(_ token: Substring) -> Caller? {
        verified.caller(Crypto.sha256(token.utf8), at: system.now().milliseconds)
    }

    /// Verifies a token, with keys that are looked for anew if it names one that is not known.
    package func verify(_ token: String) async throws -> Caller {
        do {
            let presented = try PresentedToken(token[...])
            guard let issuer = issuers[ExactText(try TokenClaims.issuer(of: presented))] else {
                throw TokenError(.unknownIssuer, "no app of this service takes tokens of this issuer (iss)")
            }
            guard issuer.algorithms.contains(presented.algorithm) else {
                throw TokenError(
                    .unsupportedAlgorithm, "tokens of this issuer are not signed with the algorithm (alg) of this one")
            }
            let generation = try await check(presented, issuer)
            return try admit(token, TokenClaims(presented), issuer, generation)
        } catch let error as TokenError {
            observer(error.code.rawValue)
            throw EndUserError(error)
        }
    }

    /// Throws unless a key of the issuer's made the signature. Returns of which generation it is.
    private func check(_ token: PresentedToken, _ issuer: TokenIssuer) async throws -> Int {
        var snapshot = issuer.keys.current
        if snapshot?.keys.candidates(for: token).isEmpty ?? true {
            await issuer.keys.lookForUnknownKey()
            snapshot = issuer.keys.current
        }
        guard let snapshot else { throw EndUserError.keysUnavailable }
        let candidates = snapshot.keys.candidates(for: token)
        guard !candidates.isEmpty else {
            throw TokenError(.unknownKey, "the issuer's keys have none that the token could be signed with (kid)")
        }
        guard candidates.contains(where: { $0.algorithm == token.algorithm }) else {
            throw TokenError(.unsupportedAlgorithm, "the key of the token (kid) is not for its algorithm (alg)")
        }
        guard candidates.contains(where: token.isSigned) else {
            throw TokenError(.invalidSignature, "the token's key did not make its signature")
        }
        return snapshot.generation
    }

    /// Lets in whom a genuine token names, if it is its time, and for the apps that it is for.
    private func admit(
        _ token: String,
        _ claims: TokenClaims,
        _ issuer: TokenIssuer,
        _ generation: Int
    ) throws(TokenError) -> Caller {
        try claims.checkTime(at: system.now().milliseconds, leeway: issuer.leeway)
        let apps = issuer.apps(of: claims.audiences)
        guard !apps.isEmpty else {
            throw TokenError(.wrongAudience, "the token is meant for somebody else (aud): no app here has one of its audiences")
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
            // Where the app's own id is a UUID it is as a rule what the app gives StoreKit, too.
            return EndUser(customerID: claims.subject, accountToken: UUID(text: claims.subject)?.lowerCaseString)
        }
        guard let token = UUID(text: text) else {
            throw TokenError(.unusableClaim, "the token's \(claim) is no UUID, as an appAccountToken has to be")
        }
        return EndUser(customerID: claims.subject, accountToken: token.lowerCaseString)
    }

    /// Tells the customers of an issuer apart and names none.
    private func callerID(issuer: String, subject: String) -> String {
        let code = names.withCode(for: Array(issuer.utf8) + [0] + Array(subject.utf8)) { Array($0.prefix(16)) }
        precondition(code != nil, "HMAC-SHA256 over memory does not fail")
        return "usr_\(Crypto.hexadecimal(code!))"
    }
}
