import OfferSigningTesting
import Testing
import WireText

@testable import OfferSigning

@Suite("Tokens of other issuers")
struct TokenTests {
    private let issuer: TestTokenIssuer
    private let keys: TokenKeySet

    init() throws {
        let issuer = try TestTokenIssuer()
        self.issuer = issuer
        let all = try TokenAlgorithm.allCases.map { try issuer.makeKey($0.rawValue, $0) }
        keys = try TokenKeySet(
            json: Array(#"{"keys":[\#(all.joined(separator: ","))]}"#.utf8), algorithms: Set(TokenAlgorithm.allCases))
    }

    private func token(_ algorithm: TokenAlgorithm, _ claims: String = #""sub":"u-1","exp":2000000000"#) throws -> String {
        try issuer.token(algorithm.rawValue, algorithm, claims: claims)
    }

    @Test("What openssl has signed verifies with its own key and with no other", arguments: TokenAlgorithm.allCases)
    func algorithms(_ algorithm: TokenAlgorithm) throws {
        let presented = try PresentedToken(try token(algorithm)[...])
        #expect(keys.faults == [])
        #expect(keys.candidates(for: presented).map(\.id) == [algorithm.rawValue])
        for key in keys.keys { #expect(presented.isSigned(by: key) == (key.algorithm == algorithm)) }
    }

    @Test("A token that was changed in any place does not verify", arguments: TokenAlgorithm.allCases)
    func changes(_ algorithm: TokenAlgorithm) throws {
        let text = Array(try token(algorithm).utf8)
        let key = try #require(keys.keys.first { $0.algorithm == algorithm })
        for index in text.indices where text[index] != UInt8(ascii: ".") {
            var changed = text
            changed[index] = text[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            let other = String(decoding: changed, as: UTF8.self)
            let isSigned = (try? PresentedToken(other[...]))?.isSigned(by: key) ?? false
            #expect(!isSigned, "byte \(index)")
        }
    }

    @Test(
        "It is a token's time from nbf to exp, with the leeway on either side",
        arguments: [
            (999_999, #""exp":1000"#, 0, nil), (1_000_000, #""exp":1000"#, 0, .expired),
            (1_029_999, #""exp":1000"#, 30_000, nil), (1_030_000, #""exp":1000"#, 30_000, .expired),
            (1_000_499, #""exp":1000.5"#, 0, nil), (1_000_500, #""exp":1000.5"#, 0, .expired),
            (999_999, #""exp":2000,"nbf":1000"#, 0, .notYetValid), (1_000_000, #""exp":2000,"nbf":1000"#, 0, nil),
            (970_000, #""exp":2000,"nbf":1000"#, 30_000, nil), (969_999, #""exp":2000,"nbf":1000"#, 30_000, .notYetValid),
        ] as [(Int64, String, Int64, TokenError.Code?)])
    func times(now: Int64, claims: String, leeway: Int64, code: TokenError.Code?) throws {
        let read = try TokenClaims(try PresentedToken(try token(.es256, #""sub":"u-1",\#(claims)"#)[...]))
        var found: TokenError.Code?
        do throws(TokenError) { try read.checkTime(at: now, leeway: leeway) } catch { found = error.code }
        #expect(found == code)
        #expect((read.issuer, read.subject) == (TestTokenIssuer.name, "u-1"))
    }

    @Test(
        "A document that is no set of keys is an error",
        arguments: [
            "", "[]", "{}", #"{"keys":{}}"#, #"{"keys":[]}x"#,
            #"{"keys":[\#(Array(repeating: "1", count: 101).joined(separator: ","))]}"#,
        ])
    func documents(_ text: String) {
        #expect(throws: TokenError(.malformedKeySet, "")) {
            try TokenKeySet(json: Array(text.utf8), algorithms: Set(TokenAlgorithm.allCases))
        }
    }

    @Test("Keys of algorithms that do not count are left out, and a set may be empty")
    func narrowed() throws {
        #expect(try TokenKeySet(json: Array(#"{"keys":[]}"#.utf8), algorithms: [.es256]).keys.isEmpty)
        let one = try issuer.makeKey("other", .rs256)
        let set = try TokenKeySet(json: Array(#"{"keys":[\#(one)]}"#.utf8), algorithms: [.es256])
        #expect(set.keys.isEmpty)
        #expect(set.faults == ["key 1 (other) is for RS256, which is not among the algorithms"])
    }
}
