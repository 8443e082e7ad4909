import EligibilityRules
import OfferSigning
import OfferSigningTesting
import Synchronization

@testable import OfferService

/// An issuer whose published keys a test sets, and who lets its tokens in, at a time that the test sets.
final class EndUserWorkshop: Sendable {
    /// What is published, or that nothing can be read; and how often it was read.
    fileprivate struct Published {
        var keys: [String: String] = [:]
        var isAway = false
        var looks = 0
    }

    private struct Away: Error {}

    static let now: Int64 = 1_700_000_000_000
    static let maxAge: Int64 = 3_600_000

    let issuer: TestTokenIssuer
    let clock = ManualClock(EndUserWorkshop.now)
    let log = RecordedLog()
    let keys: CurrentTokenKeys
    let directory: EndUserDirectory
    private let published: Published.Box

    /// - Parameter claim: that with the account token.
    init(claim: String? = nil) throws {
        issuer = try TestTokenIssuer()
        let box = Published.Box()
        published = box
        keys = CurrentTokenKeys(
            issuer: TestTokenIssuer.name,
            terms: CurrentTokenKeys.Terms(interval: .seconds(300), maxAge: Self.maxAge, algorithms: [.es256, .edDSA]),
            system: clock.environment, failures: log.makeFailureLog(), logger: log.logger
        ) {
            try box.state.withLock { state in
                state.looks += 1
                if state.isAway { throw Away() }
                let keys = state.keys.sorted { $0.key < $1.key }.map(\.value)
                return Array(#"{"keys":[\#(keys.joined(separator: ","))]}"#.utf8)
            }
        }
        directory = EndUserDirectory(
            issuers: [
                TokenIssuer(
                    name: TestTokenIssuer.name, algorithms: [.es256, .edDSA], leeway: 1000, accountTokenClaim: claim,
                    audiences: [TestTokenIssuer.audience: ["a", "b"]], keys: keys)
            ],
            names: try AuthenticationKey(secret: [1, 2, 3]), system: clock.environment)
    }

    /// Makes a key and publishes it.
    func publish(_ id: String, _ algorithm: TokenAlgorithm = .es256) throws {
        let key = try issuer.makeKey(id, algorithm)
        published.state.withLock { $0.keys[id] = key }
    }

    /// Publishes a key no more.
    func withdraw(_ id: String) { published.state.withLock { $0.keys[id] = nil } }

    /// How often what is published was read.
    var looks: Int { published.state.withLock(\.looks) }

    func setAway(_ isAway: Bool) { published.state.withLock { $0.isAway = isAway } }

    /// A token that is good for ten minutes.
    func token(_ key: String, sub: String = "u-1", more: String = "") throws -> String {
        let end = clock.now.milliseconds / 1000 + 600
        return try issuer.token(key, .es256, claims: #""sub":"\#(sub)","exp":\#(end)\#(more)"#)
    }

    /// The caller's id, or the code of the refusal.
    func enter(_ token: String) async -> String {
        if let caller = directory.caller(token[...]) { return caller.id }
        do { return try await directory.verify(token).id } catch EndUserError.invalidToken(let code, _) {
            return code
        } catch { return "\(error)" }
    }
}

extension EndUserWorkshop.Published {
    fileprivate final class Box: Sendable {
        let state = Mutex(EndUserWorkshop.Published())
    }
}
