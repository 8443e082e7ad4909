import EligibilityRules
import Synchronization

/// A token of the Server API, made anew before the App Store would refuse it.
final class CachedToken: Sendable {
    private struct Entry {
        let token: String
        let signer: String
        let renewAt: Instant
    }

    private let make: @Sendable () async throws -> String
    private let lifetime: Int64
    private let signer: @Sendable () -> String
    private let entry = Mutex<Entry?>(nil)

    /// - Parameters:
    ///   - lifetime: for how long a token is used, in ms; less than it is valid.
    ///   - signer: names who signs now; what another one has signed is used no more.
    ///   - make: signs a new one.
    init(
        lifetime: Int64,
        signer: @escaping @Sendable () -> String = { "" },
        make: @escaping @Sendable () async throws -> String
    ) {
        self.signer = signer
        self.lifetime = lifetime
        self.make = make
    }

    /// The token to use now. Several may be made at once: each is good.
    func token(at now: Instant) async throws(AppStoreError) -> String {
        let signer = signer()
        // A clock that was set back must not keep an old token alive.
        if let entry = entry.withLock(\.self), entry.signer == signer, now < entry.renewAt,
            entry.renewAt <= now.advanced(by: lifetime)
        {
            return entry.token
        }
        do {
            let token = try await make()
            entry.withLock { $0 = Entry(token: token, signer: signer, renewAt: now.advanced(by: lifetime)) }
            return token
        } catch {
            throw AppStoreError(.tokenUnavailable, "no token for the App Store Server API could be signed")
        }
    }

    /// Forgets a token that the App Store refused.
    func drop(_ token: String) {
        entry.withLock { if $0?.token == token { $0 = nil } }
    }
}
