import CPKCS11Shim

/// When a PIN may be given to a token: never so often that the token locks. No token, no file, no clock.
struct LoginGuard {
    /// A PIN that was given and refused, as a code under a secret of the process; nil: none.
    private var refused: [UInt8]?

    /// Throws if the PIN must not be given now.
    ///
    /// - Parameters:
    ///   - pin: a code that tells PINs apart.
    ///   - flags: what the token says of itself.
    ///   - isLast: whether the process ends if the PIN is wrong: it may be started again and again, so that the token's own word counts.
    func check(pin: [UInt8], flags: UInt, isLast: Bool = false) throws(SigningError) {
        if flags & UInt(P11_FLAG_PIN_LOCKED) != 0 {
            throw SigningError(.pinRefused, "the token has locked its PIN; its security officer must set a new one")
        }
        if pin == refused {
            throw SigningError(
                .pinRefused, "the PIN was refused, and is not given again; write the right one into its file, mode 0600")
        }
        let remedy = "no try is made; log in once with the maker's tool, which proves the PIN and clears the count"
        if flags & UInt(P11_FLAG_PIN_FINAL_TRY) != 0 {
            throw SigningError(.pinRefused, "the next wrong PIN would lock the token: \(remedy)")
        }
        if isLast, flags & UInt(P11_FLAG_PIN_COUNT_LOW) != 0 {
            throw SigningError(.pinRefused, "the last PIN that the token was given was wrong: \(remedy)")
        }
    }

    /// Notes what a token said to a PIN; throws unless the user is logged in.
    ///
    /// - Parameters:
    ///   - code: of C_Login.
    ///   - before: the token's flags before it, `after` those afterwards; 0 if they cannot be read.
    mutating func note(code: UInt, pin: [UInt8], before: UInt, after: UInt) throws(SigningError) {
        switch Int(code) {
        case P11_OK, P11_USER_ALREADY_LOGGED_IN: refused = nil
        case P11_PIN_INCORRECT, P11_PIN_INVALID, P11_PIN_LEN_RANGE, P11_PIN_EXPIRED, P11_PIN_LOCKED, P11_USER_PIN_NOT_INITIALIZED:
            refused = pin
            throw SigningError(
                .pinRefused,
                "the token refuses the PIN (\(Cryptoki.name(code))), which is not given again; "
                    + "write the right one into its file, mode 0600")
        default:
            // Some say only in their flags that it was counted.
            let count = UInt(P11_FLAG_PIN_COUNT_LOW | P11_FLAG_PIN_FINAL_TRY | P11_FLAG_PIN_LOCKED)
            if after & count & ~before != 0 { refused = pin }
            throw SigningError(.moduleUnavailable, "the log-in to the token failed: \(Cryptoki.name(code))")
        }
    }

    /// Lets the PIN be given once more: an operator says so.
    mutating func forgive() { refused = nil }
}

/// What PKCS#11's return codes are called.
enum Cryptoki {
    /// Such as CKR_PIN_INCORRECT; a number for one that has no name here.
    static func name(_ code: UInt) -> String {
        p11_name(code).map { String(cString: $0) } ?? "CKR 0x\(String(code, radix: 16))"
    }
}
