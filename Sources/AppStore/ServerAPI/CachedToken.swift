import EligibilityRules
import Synchronization

/// Keeps a token for an App Store API, and replaces it before it expires.
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
    ///   - lifetime: how long a token is used, in ms. It must be shorter than the token is valid.
    ///   - signer: returns the name of the key that signs tokens now. A token that was signed with another key is not used any
    ///     more.
    ///   - make: signs a new token.
    init(
        lifetime: Int64,
        signer: @escaping @Sendable () -> String = { "" },
        make: @escaping @Sendable () async throws -> String
    ) {
        self.signer = signer
        self.lifetime = lifetime
        self.make = make
    }

    /// Returns the current token. Concurrent calls may make several tokens, each of which is valid.
    func token(at now: Instant) async throws(AppStoreError) -> String {
        let signer = signer()
        // The last condition is for a clock that was set back. Without it, the token would be used after it has expired.
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
            throw AppStoreError(.tokenUnavailable, "no token for the API could be signed")
        }
    }

    /// Forgets a token that the App Store refused.
    func drop(_ token: String) {
        entry.withLock { if $0?.token == token { $0 = nil } }
    }
}
