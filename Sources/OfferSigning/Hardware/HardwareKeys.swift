import Synchronization

/// Loads keys that are in hardware modules. It opens each token once, and finds each key in it once.
public final class HardwareKeys: Sendable {
    /// What identifies a connection to a token. Keys for which all of these values are equal share one connection.
    private struct Way: Hashable {
        let module: String
        let token: PKCS11URI.TokenName
        let pinFile: String?
    }

    private struct State {
        var tokens: [Way: HardwareToken] = [:]
        var keys: [String: (uri: PKCS11URI, key: SigningKey)] = [:]
    }

    /// The purpose for which keys are loaded.
    public enum Purpose: Sendable {
        /// To read the public halves. A log-in takes place only if the token hides public keys before a log-in.
        case look
        /// To read the public halves as `look` does, and to check that the files with the PINs can be read.
        ///
        /// The PIN itself is used only if the token hides the public half. Otherwise frequent checks with a wrong PIN would lock
        /// the token.
        case check
        /// To sign. The connection to the token is kept, and is restored after an outage.
        case sign
    }

    private let purpose: Purpose
    private let state = Mutex(State())

    /// Creates a loader that holds no keys yet.
    public init(for purpose: Purpose) { self.purpose = purpose }

    /// Finds a key in a token and checks it. If the purpose is to sign, it also tests the key with one signature.
    ///
    /// It blocks until this is done. A key that was loaded before from the same URI is returned at once.
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

    /// Permits one more attempt with each PIN that a token has refused. An operator asks for it after removing the cause.
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

/// Signs with one key in a token. Its errors begin with the names of the token and the key.
private struct HardwareSigner: RemoteSigner {
    let token: HardwareToken
    let uri: PKCS11URI

    var outage: SigningError? { token.outage(of: uri).map(placed) }

    func sign(_ messages: [[UInt8]], completion: @escaping Completion) throws(SigningError) {
        do throws(SigningError) { try token.sign(messages, with: uri, completion: completion) } catch { throw placed(error) }
    }

    private func placed(_ error: SigningError) -> SigningError { SigningError(error.code, "\(uri.place): \(error.detail)") }
}
