import Synchronization

/// The keys in hardware modules: each token is opened once a process, each key found once.
public final class HardwareKeys: Sendable {
    /// What tells one way to a token from another.
    private struct Way: Hashable {
        let module: String
        let token: PKCS11URI.TokenName
        let pinFile: String?
    }

    private struct State {
        var tokens: [Way: HardwareToken] = [:]
        var keys: [String: (uri: PKCS11URI, key: SigningKey)] = [:]
    }

    /// What keys are loaded for.
    public enum Purpose: Sendable {
        /// Their public halves are wanted; nobody logs in for what can be seen without.
        case look
        /// The same, and the PINs' files must be in order. No PIN is given: whoever checks often must not lock a token.
        case check
        /// They are to sign, now and after each outage.
        case sign
    }

    private let purpose: Purpose
    private let state = Mutex(State())

    /// Loads nothing yet.
    public init(for purpose: Purpose) { self.purpose = purpose }

    /// The key in a token, found, checked and tried; blocks for as long as that takes. One that was loaded before is given again.
    ///
    /// - Parameter id: Apple's key id.
    public func load(id: String, at uri: PKCS11URI) throws(SigningError) -> SigningKey {
        try KeyFile.check(id: id)
        if let known = state.withLock({ $0.keys[id] }), known.uri == uri { return known.key }
        let token = try token(of: uri)
        let publicKey: KeyHandle
        do throws(SigningError) {
            publicKey = try token.load(uri, for: purpose)
        } catch {
            throw SigningError(error.code, "\(uri.place): \(error.detail)")
        }
        let key = SigningKey(id: id, publicKey: publicKey, signer: HardwareSigner(token: token, uri: uri))
        state.withLock { $0.keys[id] = (uri, key) }
        return key
    }

    /// Lets PINs that were refused be given once more: an operator has put something right.
    public func retryLogins() {
        for token in state.withLock({ Array($0.tokens.values) }) { token.forgive() }
    }

    private func token(of uri: PKCS11URI) throws(SigningError) -> HardwareToken {
        let way = Way(module: uri.modulePath, token: uri.token, pinFile: uri.pinFile)
        if let token = state.withLock({ $0.tokens[way] }) { return token }
        let made = try HardwareToken(of: uri)
        let token = state.withLock { state in
            let token = state.tokens[way] ?? made
            state.tokens[way] = token
            return token
        }
        if token === made { token.start() }
        return token
    }
}

/// One key in a token.
private struct HardwareSigner: RemoteSigner {
    let token: HardwareToken
    let uri: PKCS11URI

    var outage: SigningError? { token.outage(of: uri).map(placed) }

    func sign(_ messages: [[UInt8]], completion: @escaping Completion) throws(SigningError) {
        do throws(SigningError) { try token.sign(messages, with: uri, completion: completion) } catch { throw placed(error) }
    }

    private func placed(_ error: SigningError) -> SigningError { SigningError(error.code, "\(uri.place): \(error.detail)") }
}
