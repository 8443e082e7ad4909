import EligibilityRules
import FoundationEssentials
import NIOCore
package import OfferSigning
import Synchronization
import WireText

/// The end users: verifies their tokens (RFC 7519, RFC 8725), and remembers those that verified.
package final class EndUserDirectory: Sendable {
    private static let maxRemembered = 32_768
    private static let maxRates = 262_144
    /// The maximum number of tokens that are verified at once, including those that wait for the issuer's keys.
    private static let maxExamined = 512

    /// Receives the code of every token that is refused.
    package typealias Observer = @Sendable (_ code: String) -> Void

    private let issuers: [ExactText: TokenIssuer]
    private let names: AuthenticationKey
    private let system: SystemEnvironment
    private let observer: Observer
    private let verified = VerifiedTokens(capacity: maxRemembered)
    private let rates = EndUserRates(capacity: maxRates) { Int64(NIODeadline.now().uptimeNanoseconds) }
    /// A separate thread, so that only end users wait for it. Clients that are not authenticated yet can send it any number of
    /// tokens.
    package let executor = BoundedExecutor(threads: 1, limit: maxExamined, niceness: 5, refusal: EndUserError.busy)

    /// - Parameters:
    ///   - issuers: the issuers whose tokens are accepted, each once.
    ///   - names: the secret key by which the ids of callers are derived from the issuer and the customer. Without this key, an
    ///     id does not reveal the customer.
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

    /// The end user with this token; nil if the token must be verified first.
    package func caller(_ token: Substring) -> Caller? {
        verified.caller(Crypto.sha256(token.utf8), at: system.now().milliseconds)
    }

    /// Verifies a token. If the token names an unknown key, the issuer's keys are read again.
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

    /// Throws unless a key of the issuer has made the signature. Returns the generation of that key.
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

    /// Admits the customer of a genuine token to the apps that the token is for. Throws if the token is not valid now.
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
        let account = try appTransactionID(claims, issuer)
        guard let claim = issuer.accountTokenClaim, let text = claims.text(claim) else {
            // If the app's own id of a customer is a UUID, the app usually gives StoreKit the same value as `appAccountToken`.
            return EndUser(
                customerID: claims.subject, accountToken: UUID(text: claims.subject)?.lowerCaseString, appTransactionID: account)
        }
        guard let token = UUID(text: text) else {
            throw TokenError(.unusableClaim, "the token's \(claim) is not a UUID, which an appAccountToken must be")
        }
        return EndUser(customerID: claims.subject, accountToken: token.lowerCaseString, appTransactionID: account)
    }

    private func appTransactionID(_ claims: TokenClaims, _ issuer: TokenIssuer) throws(TokenError) -> String? {
        guard let claim = issuer.appTransactionClaim, let text = claims.text(claim) else { return nil }
        if let fault = Identifier.fault(ofTransactionID: text) {
            throw TokenError(.unusableClaim, "the token's \(claim) cannot be an appTransactionId: it \(fault)")
        }
        return text
    }

    /// Makes an id that distinguishes the customers of an issuer without naming them.
    private func callerID(issuer: String, subject: String) -> String {
        let code = names.withCode(for: Array(issuer.utf8) + [0] + Array(subject.utf8)) { Array($0.prefix(16)) }
        precondition(code != nil, "HMAC-SHA256 over memory does not fail")
        return "usr_\(Crypto.hexadecimal(code!))"
    }
}

/// Why the token of an end user is refused.
package enum EndUserError: Error, Equatable {
    /// The token is not accepted. The values are a stable code and a sentence.
    case invalidToken(code: String, detail: String)
    /// The issuer's keys are missing or too old, so that the token cannot be verified.
    case keysUnavailable
    /// Too many tokens wait to be verified.
    case busy

    init(_ error: TokenError) { self = .invalidToken(code: error.code.rawValue, detail: error.detail) }
}

extension EndUserError: FailureDescribing {
    package var asFailure: Failure {
        switch self {
        case .invalidToken: .unexpected(self)
        case .keysUnavailable:
            Failure(.tokenIssuer, "token-keys-unavailable", "the keys of the issuer of end users' tokens could not be read")
        case .busy: Failure(.load, "busy", "too many tokens of end users at once")
        }
    }
}

/// How much of the rate each customer has used.
///
/// The number of customers in it is bounded. Forgetting a customer usually makes no difference, because a customer without recent
/// requests has nothing left that counts against the rate.
final class EndUserRates: Sendable {
    private let capacity: Int
    private let clock: @Sendable () -> Int64
    private let states = Mutex<[String: RateState]>([:])

    /// - Parameter clock: the clock by which requests are admitted, in ns.
    init(capacity: Int, clock: @escaping @Sendable () -> Int64) {
        self.capacity = capacity
        self.clock = clock
    }

    /// The state of the customer whose caller has this id.
    func state(of id: String) -> RateState {
        states.withLock { states in
            if let state = states[id] { return state }
            if states.count >= capacity {
                let now = clock()
                states = states.filter { !$0.value.isWhole(at: now) }
                // With more customers than that, a search for each new one would cost more than the rates protect. All of them
                // are forgotten.
                if states.count > capacity / 2 { states = [:] }
            }
            let state = RateState()
            states[id] = state
            return state
        }
    }
}
