import CPKCS11Shim
import Testing

@testable import OfferSigning

@Suite("When a PIN may be given to a token")
struct LoginGuardTests {
    private static let low = UInt(P11_FLAG_PIN_COUNT_LOW)
    private static let final = UInt(P11_FLAG_PIN_FINAL_TRY)
    private static let locked = UInt(P11_FLAG_PIN_LOCKED)

    /// Gives a PIN if that is allowed; whether it was given.
    private func given(_ pin: UInt8, _ login: inout LoginGuard, code: Int, before: UInt = 0, after: UInt = 0) -> Bool {
        do { try login.check(pin: [pin], flags: before) } catch { return false }
        try? login.note(code: UInt(code), pin: [pin], before: before, after: after)
        return true
    }

    @Test(
        "A PIN that was refused, for whatever reason, is not given again; another one is, once",
        arguments: [
            P11_PIN_INCORRECT, P11_PIN_INVALID, P11_PIN_LEN_RANGE, P11_PIN_EXPIRED, P11_PIN_LOCKED, P11_USER_PIN_NOT_INITIALIZED,
        ])
    func refused(code: Int) {
        var login = LoginGuard()
        let tries = (0..<100).map { _ in given(1, &login, code: code) }
        #expect(tries.filter(\.self).count == 1)
        #expect((0..<100).map { _ in given(2, &login, code: code) }.filter(\.self).count == 1)
    }

    @Test("An operator's word lets it be given once more")
    func forgiven() {
        var login = LoginGuard()
        #expect(given(1, &login, code: P11_PIN_INCORRECT) && !given(1, &login, code: P11_OK))
        login.forgive()
        #expect(given(1, &login, code: P11_PIN_INCORRECT) && !given(1, &login, code: P11_OK))
    }

    @Test("What is no matter of the PIN is tried again", arguments: [P11_DEVICE_REMOVED, P11_GENERAL_ERROR, P11_SESSION_CLOSED])
    func away(code: Int) {
        var login = LoginGuard()
        #expect((0..<10).map { _ in given(1, &login, code: code) } == Array(repeating: true, count: 10))
        #expect(given(1, &login, code: P11_USER_ALREADY_LOGGED_IN) && given(1, &login, code: P11_OK))
    }

    @Test(
        "A token that says only in its flags that it counted a wrong PIN does not get it again", arguments: [low, final, locked])
    func counted(flag: UInt) {
        var login = LoginGuard()
        #expect(given(1, &login, code: P11_GENERAL_ERROR, before: 0, after: flag))
        #expect(!given(1, &login, code: P11_OK) && given(2, &login, code: P11_OK))
    }

    @Test(
        "No PIN at all is given where a wrong one would lock the token, or it is locked", arguments: [final, locked, final | low])
    func lastTry(flags: UInt) {
        var login = LoginGuard()
        #expect(!given(1, &login, code: P11_OK, before: flags))
        #expect(given(1, &login, code: P11_OK, before: Self.low))
    }

    @Test("A process that would end over a wrong PIN gives none where the last one was wrong: it may be started again and again")
    func startedAgain() throws {
        let login = LoginGuard()
        try login.check(pin: [1], flags: 0, isLast: true)
        #expect(throws: SigningError(.pinRefused, "")) { try login.check(pin: [1], flags: Self.low, isLast: true) }
    }
}
