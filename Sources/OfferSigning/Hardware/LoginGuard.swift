import CPKCS11Shim

/// Decides whether a PIN may be tried, so that wrong PINs never lock the token. It only judges values, and calls no token itself.
struct LoginGuard {
    /// The HMAC of the PIN that the token has refused, because the PIN itself must not be kept; nil if none was refused.
    private var refused: [UInt8]?

    /// Throws if the PIN must not be tried now.
    ///
    /// - Parameters:
    ///   - pin: an HMAC of the PIN, which differs for different PINs.
    ///   - flags: the token's flags.
    ///   - isLast: whether the process ends if the PIN is wrong. The next process does not know that the PIN was refused. In this
    ///     case the PIN is therefore not tried if the token's flags show that an earlier PIN was wrong.
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

    /// Records the result of a log-in. Throws if the log-in has failed.
    ///
    /// - Parameters:
    ///   - code: the return value of C_Login.
    ///   - pin: an HMAC of the PIN that was tried.
    ///   - before: the token's flags before the call.
    ///   - after: the token's flags after the call; 0 if they cannot be read.
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
            // Some tokens return another code for a wrong PIN. Then only their flags show that they have counted a wrong attempt.
            let count = UInt(P11_FLAG_PIN_COUNT_LOW | P11_FLAG_PIN_FINAL_TRY | P11_FLAG_PIN_LOCKED)
            if after & count & ~before != 0 { refused = pin }
            throw SigningError(.moduleUnavailable, "the log-in to the token failed: \(Cryptoki.name(code))")
        }
    }

    /// Permits one more attempt with the refused PIN, because an operator has asked for it.
    mutating func forgive() { refused = nil }
}

/// The names of PKCS#11 return values.
enum Cryptoki {
    /// Returns a name such as CKR_PIN_INCORRECT, or the number of a value whose name is not known here.
    static func name(_ code: UInt) -> String {
        p11_name(code).map { String(cString: $0) } ?? "CKR 0x\(String(code, radix: 16))"
    }
}
