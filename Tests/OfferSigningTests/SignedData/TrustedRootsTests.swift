import Foundation
import OfferSigning
import OfferSigningTesting
import Testing
import WireText

@Suite("Trusted roots")
struct TrustedRootsTests {
    private let authority: TestAuthority

    init() throws { authority = try TestAuthority.shared.get() }

    private func accepts(_ files: [[UInt8]]) throws -> Bool {
        let verifier = SignedDataVerifier(roots: try TrustedRoots(pemOrDERFiles: files), now: { TestAuthority.signedDate })
        return (try? verifier.verify(authority.jws())) != nil
    }

    @Test("Roots are read from DER and from PEM, with remarks, line ends of any kind and several in a file")
    func formats() throws {
        let (root, forged) = (try authority.pem("root"), try authority.pem("forged-root"))
        #expect(try accepts([authority.der("root")]))
        #expect(try accepts([root]))
        #expect(try accepts([forged + Array("\nsubject=CN = Root\n".utf8) + root]))
        #expect(try accepts([Array(String(decoding: root, as: UTF8.self).replacing("\n", with: "\r\n").utf8)]))
        #expect(try accepts([forged, root]))
        #expect(try !accepts([forged]))
    }

    @Test("What is wrong with a root file is said, and of which file")
    func errors() throws {
        let pem = String(decoding: try authority.pem("root"), as: UTF8.self)
        let der = try authority.der("root")
        let wrong: [(contents: [UInt8], says: String)] = [
            ([], "is empty"),
            (Array("hello".utf8), "neither"),
            (Array(der.dropLast()), "neither"),
            (der + [0], "neither"),
            ([UInt8](repeating: 0x30, count: 300_000), "more than"),
            (Array(pem.dropLast(30).utf8), "no end"),
            (Array(pem.dropLast(30).utf8) + Array("\n\(pem)".utf8), "no end"),
            (Array(pem.replacing("-----BEGIN CERTIFICATE-----\n", with: "-----BEGIN CERTIFICATE-----\n?").utf8), "not Base64"),
            (Array("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n".utf8), "not an X.509"),
            (Array("-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n".utf8), "not an X.509"),
            (try authority.privateKeyPEM("leaf"), "PRIVATE KEY"),
        ]
        for (contents, says) in wrong {
            let error = #expect(throws: SignedDataError.self) { try TrustedRoots(pemOrDERFiles: [der, contents]) }
            #expect(error?.code == .unusableTrustedRoot)
            #expect(error?.detail.contains("file 2") == true)
            #expect(error?.detail.contains(says) == true, "\(error?.detail ?? "")")
        }
        #expect(throws: SignedDataError(.unusableTrustedRoot, "")) { try TrustedRoots(pemOrDERFiles: []) }
    }
}
