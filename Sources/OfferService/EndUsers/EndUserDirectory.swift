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
    /// A thread for which only end users wait, because unauthenticated clients may send any number of tokens.
    package let executor = BoundedExecutor(threads: 1, limit: maxExamined, niceness: 5, refusal: EndUserError.busy)

    /// - Parameters:
    ///   - issuers: each once.
    ///   - names: the secret key by which callers' ids are derived from issuers and customers. Without this key no id can be
    ///     traced to a customer.
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

/// Why the token of an end user is refused.
package enum EndUserError: Error, Equatable {
    /// The token is not accepted; a stable code and a sentence.
    case invalidToken(code: String, detail: String)
    /// There are no keys for its verification, or they are too old.
    case keysUnavailable
    /// Too many new tokens at once.
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

/// The rate that each customer has used.
///
/// The number of customers is bounded. Usually nothing is lost when one is forgotten, because a customer without recent requests
/// has used nothing of the rate.
final class EndUserRates: Sendable {
    private let capacity: Int
    private let clock: @Sendable () -> Int64
    private let states = Mutex<[String: RateState]>([:])

    /// - Parameter clock: ns of the clock by which requests are admitted.
    init(capacity: Int, clock: @escaping @Sendable () -> Int64) {
        self.capacity = capacity
        self.clock = clock
    }

    /// The state of a customer, by the caller's id.
    func state(of id: String) -> RateState {
        states.withLock { states in
            if let state = states[id] { return state }
            if states.count >= capacity {
                let now = clock()
                states = states.filter { !$0.value.isWhole(at: now) }
                // With so many at once, searching them for each new one would cost more than the rate protects.
                if states.count > capacity / 2 { states = [:] }
            }
            let state = RateState()
            states[id] = state
            return state
        }
    }
}
