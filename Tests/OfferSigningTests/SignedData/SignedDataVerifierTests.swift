import Foundation
import OfferSigningTesting
import TestRandomness
import Testing
import WireText

@testable import OfferSigning

@Suite("Signed data")
struct SignedDataVerifierTests {
    private let authority: TestAuthority
    private let verifier: SignedDataVerifier

    init() throws {
        authority = try TestAuthority.shared.get()
        verifier = try SignedDataVerifier.trusting([authority.der("root")])
    }

    private func payload(signedDate: String) -> String { #"{"signedDate":\#(signedDate)}"# }

    private func expect(
        _ code: SignedDataError.Code,
        _ jws: String,
        by other: SignedDataVerifier? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        // Twice: what is refused must not be remembered as good.
        for _ in 1...2 {
            #expect(throws: SignedDataError(code, ""), sourceLocation: sourceLocation) {
                try (other ?? verifier).verify(jws)
            }
        }
    }

    @Test("Genuine data is accepted, though the leaf has expired since it was signed")
    func genuine() throws {
        let data = try verifier.verify(authority.jws())
        #expect(data.signedDate == TestAuthority.signedDate)
        #expect(!data.isLocal)
        #expect(data.payload.member("transactionId") == .string("2000000000000001"))
    }

    @Test(
        "Each flaw of a chain has its own code",
        arguments: [
            (["forged-leaf", "forged-intermediate", "forged-root"], .untrustedRoot),
            (["forged-leaf", "forged-intermediate", "root"], .untrustedRoot),
            (["plain-forged-leaf", "forged-intermediate", "root"], .untrustedRoot),
            (["leaf", "forged-intermediate", "root"], .invalidCertificateChain),
            (["forged-leaf", "intermediate", "root"], .invalidCertificateChain),
            (["leaf", "plain-intermediate", "root"], .invalidCertificateChain),
            (["leaf", "root", "intermediate"], .invalidCertificateChain),
            (["leaf", "leaf", "root"], .invalidCertificateChain),
            (["leaf-of-root", "intermediate", "root"], .invalidCertificateChain),
            (["leaf-of-root", "root", "root"], .invalidCertificateChain),
            (["leaf-of-no-authority", "no-authority", "root"], .invalidCertificateChain),
            (["local", "intermediate", "root"], .invalidCertificateChain),
            (["leaf-of-plain", "plain-intermediate", "root"], .missingIntermediateMarker),
            (["plain-leaf", "intermediate", "root"], .missingLeafMarker),
            (["wrong-leaf", "intermediate", "root"], .missingLeafMarker),
            (["leaf-of-rsa", "rsa-intermediate", "root"], .unsupportedCertificateKey),
            (["leaf", "intermediate"], .malformedCertificateChain),
            (["leaf", "intermediate", "root", "root"], .malformedCertificateChain),
            ([], .malformedCertificateChain),
            (["local"], .localCertificateUnknown),
            (["leaf"], .localCertificateUnknown),
        ] as [([String], SignedDataError.Code)])
    func flaws(chain: [String], code: SignedDataError.Code) throws {
        expect(code, try authority.jws(chain, signedBy: chain.first ?? "leaf"))
    }

    @Test(
        "What says that it was signed more than a day from now is refused, with the signature intact or not trusted before",
        arguments: [(0, true), (86_400_000, true), (86_400_001, false), (400 * 86_400_000, false)] as [(Int64, Bool)])
    func future(ahead: Int64, isAccepted: Bool) throws {
        let early = try SignedDataVerifier.trusting([authority.der("root")]) { TestAuthority.signedDate - ahead }
        let jws = try authority.jws()
        if isAccepted {
            #expect(try early.verify(jws).signedDate == TestAuthority.signedDate)
        } else {
            expect(.signedInFuture, jws, by: early)
            // Not the word of another signer.
            expect(.untrustedRoot, try authority.jws(["forged-leaf", "forged-intermediate", "forged-root"]), by: early)
            expect(.invalidSignature, try authority.jws(signedBy: "forged-leaf"), by: early)
        }
    }

    @Test("A leaf on another curve or with an RSA key is refused", arguments: ["p384-leaf", "rsa-leaf"])
    func leafKeys(leaf: String) throws {
        expect(.unsupportedCertificateKey, try authority.jws([leaf, "intermediate", "root"], signedBy: "leaf"))
    }

    @Test("An authority as leaf is refused", arguments: [["intermediate", "leaf", "root"], ["root", "intermediate", "leaf"]])
    func swapped(chain: [String]) throws {
        expect(.invalidCertificateChain, try authority.jws(chain, signedBy: "leaf"))
    }

    @Test("A leaf that is itself trusted is no anchor of a chain")
    func trustedLeaf() throws {
        let verifier = try SignedDataVerifier.trusting([authority.der("leaf"), authority.der("intermediate")])
        expect(.untrustedRoot, try authority.jws(), by: verifier)
        let local = try SignedDataVerifier.trusting([authority.der("local")])
        expect(.invalidCertificateChain, try authority.jws(["local", "local", "local"]), by: local)
    }

    @Test("A configured root with the same name and key, but another certificate, is as good")
    func otherCertificateOfRoot() throws {
        for roots in [["root-again"], ["forged-root", "root"], ["root-short", "root-again"], ["local", "root"]] {
            let verifier = try SignedDataVerifier.trusting(roots.map(authority.der))
            #expect(try !verifier.verify(authority.jws()).isLocal)
        }
        let expired = try SignedDataVerifier.trusting([authority.der("root-short")])
        expect(.certificateExpired, try authority.jws(), by: expired)
        let forged = try SignedDataVerifier.trusting([authority.der("forged-root")])
        expect(.untrustedRoot, try authority.jws(), by: forged)
    }

    @Test("With Apple's root pinned, no other root is trusted, configured or sent along")
    func pinned() throws {
        let verifier = SignedDataVerifier(roots: .appleRootCAG3, now: { TestAuthority.signedDate })
        expect(.untrustedRoot, try authority.jws(), by: verifier)
        expect(.localCertificateUnknown, try authority.jws(["local"]), by: verifier)
    }

    @Test("With a pinned root, the data has to bring exactly this certificate, and a chain that it issued")
    func pinnedRoot() throws {
        let roots = TrustedRoots(pinnedFingerprint: Crypto.sha256(try authority.der("root")))
        let verifier = SignedDataVerifier(roots: roots, now: { TestAuthority.signedDate })
        #expect(try verifier.verify(authority.jws()).signedDate == TestAuthority.signedDate)
        expect(.untrustedRoot, try authority.jws(["leaf", "intermediate", "root-again"]), by: verifier)
        expect(.untrustedRoot, try authority.jws(["forged-leaf", "forged-intermediate", "forged-root"]), by: verifier)
        expect(.untrustedRoot, try authority.jws(["forged-leaf", "forged-intermediate", "root"]), by: verifier)
        expect(.invalidCertificateChain, try authority.jws(["leaf-of-root", "root", "root"]), by: verifier)
        expect(.localCertificateUnknown, try authority.jws(["root"], signedBy: "leaf"), by: verifier)
    }

    @Test("Validity is judged when the data was signed, before and after a chain is remembered")
    func validity() throws {
        let leaf = try #require(Certificate(der: authority.der("leaf"))?.validity)
        func signed(at seconds: Int64) throws -> String {
            try authority.jws(payload: payload(signedDate: String(seconds * 1000)))
        }
        let later = try SignedDataVerifier.trusting([authority.der("root")]) { leaf.upperBound * 1000 }
        for _ in 1...2 {
            expect(.certificateNotYetValid, try signed(at: leaf.lowerBound - 1), by: later)
            expect(.certificateExpired, try signed(at: leaf.upperBound + 1), by: later)
            #expect(try later.verify(signed(at: leaf.lowerBound)).signedDate == leaf.lowerBound * 1000)
            #expect(try later.verify(signed(at: leaf.upperBound)).signedDate == leaf.upperBound * 1000)
        }
        expect(.certificateNotYetValid, try signed(at: 0))
        expect(.missingLeafMarker, try authority.jws(["plain-leaf", "intermediate", "root"], payload: payload(signedDate: "0")))
    }

    @Test("Without a signing date the present counts")
    func noSigningDate() throws {
        let jws = try authority.jws(payload: "{}")
        #expect(try verifier.verify(jws).signedDate == nil)
        let today = try SignedDataVerifier.trusting([authority.der("root")], now: { 1_800_000_000_000 })
        expect(.certificateExpired, jws, by: today)
    }

    @Test(
        "A signing date is a number of milliseconds, fractions cut off",
        arguments: [
            #"{"signedDate":1686787200000.987}"#, #"{"signedDate":1.6867872e12}"#,
            #"{"receiptCreationDate":1686787200000}"#, #"{"signedDate":1686787200000,"receiptCreationDate":5}"#,
        ])
    func signingDates(payload: String) throws {
        #expect(try verifier.verify(authority.jws(payload: payload)).signedDate == TestAuthority.signedDate)
    }

    @Test(
        "A payload that is no object, or has no usable signing date, is refused",
        arguments: [
            "", "[]", "5", "{", #"{"signedDate":"1686787200000"}"#, #"{"signedDate":null}"#, #"{"signedDate":-1}"#,
            #"{"signedDate":1e300}"#, #"{"signedDate":1e400}"#, #"{"signedDate":99999999999999999999}"#,
            #"{"signedDate":9223372036854775807}"#, #"{"signedDate":1,"signedDate":1}"#, #"{"receiptCreationDate":true}"#,
        ])
    func malformedPayloads(payload: String) throws {
        expect(.malformedPayload, try authority.jws(payload: payload))
    }

    @Test(
        "Only ES256 is accepted",
        arguments: ["none", "None", "RS256", "HS256", "ES384", "es256", "PS256", "EdDSA", "", "ES256 "])
    func algorithms(algorithm: String) throws {
        let jws = try authority.jws(header: ["alg": algorithm])
        expect(.unsupportedAlgorithm, jws)
        expect(.unsupportedAlgorithm, jws[...jws.lastIndex(of: ".")!].description)
    }

    @Test("Critical parameters, a missing algorithm and a header that is no object are refused")
    func headers() throws {
        expect(.malformedJWS, try authority.jws(header: ["crit": ["b64"], "b64": false]))
        expect(.malformedJWS, try authority.jws(header: ["crit": [String]()]))
        expect(.malformedJWS, try authority.jws(header: ["alg": 5]))
        for json in ["", "[]", "{}", "{", #"{"alg":"ES256","alg":"ES256"}"#, "null"] {
            expect(.malformedJWS, try authority.jws(headerJSON: Data(json.utf8), payload: "{}", signedBy: "leaf"))
        }
    }

    @Test("Entries of x5c that are not exactly one certificate in standard Base64 are refused")
    func entries() throws {
        let names = ["leaf", "intermediate", "root"]
        let genuine = try names.map { Data(try authority.der($0)).base64EncodedString() }
        for index in genuine.indices {
            let der = try authority.der(names[index])
            let oversized = Data([0x30, 0x82, 0x7F, 0xFB] + [UInt8](repeating: 0, count: 32763)).base64EncodedString()
            let wrong: [Any] = [
                "", "AAAA", 5, NSNull(), [genuine[index]], oversized, " " + genuine[index], genuine[index] + "\n",
                Data(der + [0]).base64EncodedString(), Data(der + der).base64EncodedString(),
                Data(der.dropLast()).base64EncodedString(), String(decoding: try authority.pem(names[index]), as: UTF8.self),
                "-" + genuine[index].dropFirst(), genuine[index] + "====",
            ]
            for entry in wrong {
                var entries: [Any] = genuine
                entries[index] = entry
                expect(.malformedCertificateChain, try authority.jws(header: ["x5c": entries]))
            }
        }
        expect(.malformedCertificateChain, try authority.jws(header: ["x5c": genuine[0]]))
        expect(.malformedCertificateChain, try authority.jws(header: ["x5c": NSNull()]))
    }

    @Test("What is not three parts of plain base64url is no JWS")
    func malformed() throws {
        let jws = try authority.jws()
        let parts = jws.split(separator: ".").map(String.init)
        let wrong = [
            "", ".", "..", "...", "a.b.c", jws + ".", "." + jws, jws + "=", jws + "==", jws + "\n", " " + jws, "\u{FEFF}" + jws,
            parts[0] + "." + parts[1], parts[0] + "=." + parts[1] + "." + parts[2], parts[0] + ".\(parts[1])==." + parts[2],
            parts[0] + ". \(parts[1])." + parts[2], jws.replacing(".", with: "\0."), jws + ".\(parts[2])", jws + "é", "{}",
            parts[0] + "." + parts[1].replacing("e", with: "+", maxReplacements: 1) + "." + parts[2],
        ]
        for text in wrong { expect(.malformedJWS, text) }
        expect(.malformedPayload, "\(parts[0])..\(parts[2])")
        // Without a value in the message of a failure, which would be as long.
        let long = jws + String(repeating: "a", count: 16 << 20)
        expect(.malformedJWS, long)
    }

    @Test("A payload, a header or a signature that was changed is refused")
    func tampered() throws {
        let jws = try authority.jws()
        let parts = jws.split(separator: ".").map(String.init)
        let other = try authority.jws(payload: #"{"transactionId":"2000000000000002","signedDate":1686787200000}"#)
            .split(separator: ".").map(String.init)
        expect(.invalidSignature, "\(parts[0]).\(other[1]).\(parts[2])")
        expect(.invalidSignature, "\(parts[0]).\(parts[1]).\(other[2])")
        expect(.invalidSignature, try authority.jws(signedBy: "other-leaf"))
        let header = try authority.jws(header: ["typ": "JWT"]).split(separator: ".")[0]
        expect(.invalidSignature, "\(header).\(parts[1]).\(parts[2])")
        let raw = try #require(Base64.decodeURLSafe(parts[2].utf8))
        let der = try #require(Signature.der(fromRaw: raw))
        let zeros = [UInt8](repeating: 0, count: 32)
        var wrong = [[], Array(raw.dropLast()), raw + [0], der, zeros + raw[32...], raw[..<32] + zeros, zeros + zeros]
        for index in [0, 31, 32, 63] {
            var changed = raw
            changed[index] ^= 0x80
            wrong.append(changed)
        }
        for signature in wrong {
            var text = Array("\(parts[0]).\(parts[1]).".utf8)
            Base64.appendURLSafe(signature, to: &text)
            expect(.invalidSignature, String(decoding: text, as: UTF8.self))
        }
        // The last character holds four bits that belong to no byte.
        let last = try #require(jws.last)
        for character in "ABQRgh" where character != last { expect(.invalidSignature, jws.dropLast() + String(character)) }
    }

    @Test("No single changed character is accepted, chain remembered or not")
    func anyChange() throws {
        let jws = Array(try authority.jws().utf8)
        _ = try verifier.verify(String(decoding: jws, as: UTF8.self))
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=".utf8)
        var random = SplitMix64(seed: 2)
        for _ in 0..<400 {
            var changed = jws
            let index = Int.random(in: jws.indices, using: &random)
            changed[index] = alphabet.randomElement(using: &random)!
            guard changed != jws else { continue }
            let text = String(decoding: changed, as: UTF8.self)
            #expect(throws: SignedDataError.self, "byte \(index): \(text)") { try verifier.verify(text) }
        }
    }

    @Test("Data of a local test is accepted if its certificate is configured, and only with its signature")
    func local() throws {
        let verifier = try SignedDataVerifier.trusting([authority.der("root"), authority.pem("local")])
        let jws = try authority.jws(["local"], payload: payload(signedDate: "0.5"))
        let data = try verifier.verify(jws)
        #expect(data.isLocal)
        #expect(data.signedDate == 0)
        expect(.localCertificateUnknown, try authority.jws(["other-local"]), by: verifier)
        expect(.localCertificateUnknown, try authority.jws(["leaf"]), by: verifier)
        expect(.invalidSignature, try authority.jws(["local"], signedBy: "other-local"), by: verifier)
        expect(.unsupportedCertificateKey, try authority.jws(["root"], signedBy: "local"), by: verifier)
        #expect(try !verifier.verify(authority.jws()).isLocal)
    }
}
