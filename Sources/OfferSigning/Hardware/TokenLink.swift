import COpenSSLShim
import CPKCS11Shim

/// The connection to a token. It finds the token, opens a session and logs in. It is not thread-safe, and all calls may block.
struct TokenLink {
    let module: CryptokiModule
    private let name: PKCS11URI.TokenName
    private let pinFile: String?
    private var login = LoginGuard()
    // Computes the HMACs of PINs. With them, `login` recognises a refused PIN without storing it.
    private let pinCodes: AuthenticationKey
    private(set) var slot: UInt = 0
    private(set) var session: UInt?

    init(to uri: PKCS11URI) throws(SigningError) {
        module = try CryptokiModule.at(uri.modulePath)
        name = uri.token
        pinFile = uri.pinFile
        pinCodes = try AuthenticationKey(secret: try Crypto.randomBytes(32))
    }

    /// Finds the token and opens a session, without a log-in.
    mutating func open() throws(SigningError) {
        let code = module.start()
        guard code == UInt(P11_OK) else {
            throw SigningError(.moduleUnavailable, "C_Initialize failed: \(Cryptoki.name(code))")
        }
        let token = try presentToken()
        do throws(CryptokiFailure) {
            session = try module.openSession(in: token.slot)
            slot = token.slot
        } catch {
            throw error.asSigningError
        }
    }

    /// Closes the session. That is harmless if the session is already lost.
    mutating func close() {
        if let session { module.closeSession(session) }
        session = nil
    }

    /// Forgets the session without closing it. Call it after a restart of the module, which has made the session's number
    /// invalid.
    mutating func abandon() { session = nil }

    /// Permits one more attempt with a refused PIN.
    mutating func forgive() { login.forgive() }

    private func presentToken() throws(SigningError) -> p11_token {
        let tokens: [p11_token]
        do throws(CryptokiFailure) { tokens = try module.tokens() } catch { throw error.asSigningError }
        let matching = tokens.filter { $0.hasName(name) }
        guard let token = matching.first else { throw SigningError(.tokenMissing, "no such token is present") }
        guard matching.count == 1 else {
            throw SigningError(.tokenMissing, "\(matching.count) tokens have this name; give the serial, too")
        }
        return token
    }

    /// Logs in, if the token requires it, with the PIN that is in the file now.
    ///
    /// - Parameter isLast: whether the process ends if the PIN is wrong.
    mutating func logIn(isLast: Bool = false) throws(SigningError) {
        let flags: UInt
        do throws(CryptokiFailure) { flags = try module.flags(of: slot) } catch { throw error.asSigningError }
        guard flags & UInt(P11_FLAG_LOGIN_REQUIRED) != 0, let session else { return }
        guard let pinFile else {
            throw SigningError(.pinMissing, "the token wants a PIN; name the file that holds it with pin-source, mode 0600")
        }
        var login = login
        let (module, slot, pinCodes) = (module, slot, pinCodes)
        let result = try KeyFile(path: pinFile).withContents { contents throws(SigningError) in
            Result { () throws(SigningError) in
                let pin = try TokenLink.trimmed(contents)
                guard let code = pinCodes.withCode(for: pin, { Array($0) }) else {
                    throw SigningError(.cryptoFailure, "no code of the PIN")
                }
                try login.check(pin: code, flags: flags, isLast: isLast)
                let answer = module.logIn(session, pin: pin)
                let after = (try? module.flags(of: slot)) ?? 0
                try login.note(code: answer, pin: code, before: flags, after: after)
            }
        }
        self.login = login
        try result.get()
    }

    /// Throws if the PIN file cannot be read or is empty. The PIN is not tried.
    func checkPINFile() throws(SigningError) {
        guard let pinFile else { return }
        try KeyFile(path: pinFile).withContents { contents throws(SigningError) in _ = try TokenLink.trimmed(contents) }
    }

    /// Removes the line end at the end of the file, which most editors add.
    private static func trimmed(_ contents: UnsafeRawBufferPointer) throws(SigningError) -> UnsafeRawBufferPointer {
        var pin = contents[...]
        while let last = pin.last, last == UInt8(ascii: "\n") || last == UInt8(ascii: "\r") { pin = pin.dropLast() }
        guard !pin.isEmpty else { throw SigningError(.pinMissing, "the PIN's file is empty") }
        return UnsafeRawBufferPointer(rebasing: pin)
    }

    /// Checks that session, token and keys are still present.
    func check(_ handles: [UInt]) throws(CryptokiFailure) {
        guard let session else { throw CryptokiFailure(code: UInt(P11_SESSION_CLOSED), call: "C_GetSessionInfo") }
        try module.checkSession(session)
        _ = try module.flags(of: slot)
        for handle in handles { _ = try module.bytes(P11_ID, of: handle, in: session) }
    }
}

extension p11_token {
    fileprivate func hasName(_ name: PKCS11URI.TokenName) -> Bool {
        func isSame(_ field: some Any, _ wanted: String?) -> Bool {
            guard let wanted else { return true }
            return withUnsafeBytes(of: field) { $0.prefix { $0 != 0 }.elementsEqual(wanted.utf8) }
        }
        return isSame(label, name.label) && isSame(serial, name.serial) && isSame(manufacturer, name.manufacturer)
            && isSame(model, name.model)
    }
}
