import EligibilityRules
import OfferStore
import Testing

@testable import OfferService

@Suite("Access")
struct AccessTests {
    private func caller(of token: AccessToken, expiresAt: Int64? = nil, revokedAt: Int64? = nil) throws -> Caller {
        let record = AccessRecord(
            id: token.id, secretDigest: token.digest, role: "client", apps: ["a"], note: "",
            lifetime: AccessLifetime(
                createdAt: Instant(milliseconds: 0), expiresAt: expiresAt.map { Instant(milliseconds: $0) },
                revokedAt: revokedAt.map { Instant(milliseconds: $0) }))
        return try #require(Caller(record, rate: RateState()))
    }

    @Test("A token is read as it was written, and only that admits")
    func tokens() throws {
        let token = try AccessToken.generate()
        let read = try #require(AccessToken(Substring(token.text)))
        #expect(try caller(of: token).isRight(read))
        let other = try AccessToken.generate()
        #expect(try !caller(of: token).isRight(other))
        let shortened = try #require(AccessToken(token.text.dropLast()))
        #expect(try !caller(of: token).isRight(shortened))
    }

    @Test("Expired and revoked keys admit no caller")
    func ends() throws {
        let token = try AccessToken.generate()
        #expect(try caller(of: token, expiresAt: 11).isAdmitted(at: Instant(milliseconds: 10)))
        #expect(try !caller(of: token, expiresAt: 10).isAdmitted(at: Instant(milliseconds: 10)))
        #expect(try !caller(of: token, revokedAt: 1).isAdmitted(at: Instant(milliseconds: 10)))
    }

    @Test("Texts of another form are no tokens", arguments: ["", "osk_", "osk_abc", "osc_a_b", "Bearer x", "osk"])
    func otherForms(text: String) {
        #expect(AccessToken(Substring(text)) == nil)
    }

    @Test("Only client, backend and admin may sign")
    func roles() {
        #expect(Role.allCases.filter { $0.may(.sign) } == [.client, .backend, .admin])
        #expect(Role.allCases.filter { $0.may(.verify) } == [.client, .backend, .security, .admin])
    }
}
