import Foundation
import OfferSigning
import OfferSigningTesting
import Testing

@Suite("Key files")
struct KeyFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("A key as Apple hands it out loads under the id in its name")
    func appleKey() throws {
        let key = try KeyFile(path: folder.makeKey(id: "ABCDEFGHIJ")).load(passphrase: nil, slots: 1)
        #expect(key.id == "ABCDEFGHIJ")
        #expect(key.fingerprint.count == 64)
    }

    @Test("Line ends written as backslash n are accepted")
    func escapedLineEnds() throws {
        let path = try folder.makeKey()
        let text = try String(contentsOfFile: path, encoding: .utf8)
        try folder.write(text.replacing("\n", with: "\\n"), to: "SubscriptionKey_ESCAPED123.p8")
        let key = try KeyFile(path: folder.path("SubscriptionKey_ESCAPED123.p8")).load(passphrase: nil, slots: 1)
        #expect(try key.fingerprint == KeyFile(path: path).load(passphrase: nil, slots: 1).fingerprint)
    }

    @Test("An encrypted key opens with its passphrase and with no other")
    func encryptedKey() throws {
        let plain = try folder.makeKey()
        let name = "SubscriptionKey_SECRET1234.p8"
        try folder.openssl(
            "pkcs8", "-topk8", "-v2", "aes-256-cbc", "-passout", "pass:right", "-in", plain, "-out", name, makes: name)
        let file = KeyFile(path: folder.path(name))
        #expect(throws: SigningError(.passphraseNeeded, "")) { try file.load(passphrase: nil, slots: 1) }
        #expect(throws: SigningError(.passphraseWrong, "")) { try file.load(passphrase: "wrong", slots: 1) }
        #expect(try file.load(passphrase: "right", slots: 1).id == "SECRET1234")
    }

    /// How a wrong file is made, and what is said about it.
    struct WrongFile: Sendable, CustomTestStringConvertible {
        let name: String
        let make: @Sendable (TemporaryFolder, String) throws -> Void
        let code: SigningError.Code

        var testDescription: String { code.rawValue }

        static let all = [
            WrongFile(name: "SubscriptionKey_A.p8", make: { try $0.write("not a key\n", to: $1) }, code: .notPEM),
            WrongFile(name: "SubscriptionKey_B.p8", make: { try $0.write("", to: $1) }, code: .notPEM),
            WrongFile(
                name: "SubscriptionKey_C.p8",
                make: { try $0.openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", $1, makes: $1) },
                code: .sec1),
            WrongFile(
                name: "SubscriptionKey_D.p8",
                make: { try $0.openssl("genpkey", "-algorithm", "RSA", "-out", $1, makes: $1) }, code: .rsa),
            WrongFile(
                name: "SubscriptionKey_E.p8",
                make: { folder, name in
                    try folder.openssl(
                        "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-384", "-out", name, makes: name)
                }, code: .otherCurve),
            WrongFile(
                name: "SubscriptionKey_F.p8",
                make: { try $0.openssl("genpkey", "-algorithm", "ED25519", "-out", $1, makes: $1) },
                code: .otherAlgorithm),
            WrongFile(
                name: "SubscriptionKey_G.p8",
                make: { folder, name in
                    let key = try folder.makeKey()
                    try folder.openssl("pkey", "-in", key, "-pubout", "-out", name, makes: name)
                }, code: .publicKey),
            WrongFile(
                name: "SubscriptionKey_H.p8",
                make: { folder, name in
                    let text = try String(contentsOfFile: folder.makeKey(), encoding: .utf8)
                    try folder.write(String(text.prefix(60)) + "\n-----END PRIVATE KEY-----\n", to: name)
                }, code: .damaged),
            WrongFile(
                name: "AuthKey_ABCDEFGHIJ.p8",
                make: { folder, name in
                    try folder.write(String(contentsOfFile: folder.makeKey(), encoding: .utf8), to: name)
                }, code: .appStoreConnectKey),
            WrongFile(
                name: "SubscriptionKey_I.p8",
                make: { folder, name in
                    try folder.write(String(contentsOfFile: folder.makeKey(), encoding: .utf8), to: name)
                    chmod(folder.path(name), 0o644)
                }, code: .fileReadableByOthers),
            WrongFile(name: "SubscriptionKey_J.p8", make: { _, _ in }, code: .fileUnreadable),
            WrongFile(
                name: "SubscriptionKey_ABCDEFGHIJ (1).p8",
                make: { folder, name in
                    try folder.write(String(contentsOfFile: folder.makeKey(), encoding: .utf8), to: name)
                }, code: .idMalformed),
            WrongFile(
                name: "key.p8",
                make: { folder, name in
                    try folder.write(String(contentsOfFile: folder.makeKey(), encoding: .utf8), to: name)
                }, code: .idMissing),
        ]
    }

    @Test("Every wrong file is refused with its own code", arguments: WrongFile.all)
    func wrongFile(_ wrong: WrongFile) throws {
        try wrong.make(folder, wrong.name)
        #expect(throws: SigningError(wrong.code, "")) {
            try KeyFile(path: folder.path(wrong.name)).load(passphrase: nil, slots: 1)
        }
    }

    @Test("A key in a folder that others may write into is refused, unless they cannot take away what is another's")
    func openFolder() throws {
        let file = KeyFile(path: try folder.makeKey())
        for (mode, isGood) in [(0o700, true), (0o755, true), (0o775, false), (0o757, false), (0o777, false), (0o1777, true)] {
            chmod(folder.path(""), mode_t(mode))
            if isGood {
                _ = try file.load(passphrase: nil, slots: 1)
            } else {
                #expect(throws: SigningError(.folderWritableByOthers, "")) { try file.load(passphrase: nil, slots: 1) }
            }
        }
    }

    @Test("A key, or a key folder, that belongs to neither this user nor root is refused", .enabled(if: geteuid() == 0))
    func owner() throws {
        let file = KeyFile(path: try folder.makeKey())
        for path in [file.path, folder.path("")] {
            chown(path, 4711, 0)
            let error = #expect(throws: SigningError(.fileOwnedByAnother, "")) { try file.load(passphrase: nil, slots: 1) }
            #expect(error?.detail.contains("4711") == true && error?.detail.contains("chown 0 ") == true)
            chown(path, 0, 0)
        }
        _ = try file.load(passphrase: nil, slots: 1)
    }

    @Test("An id that contradicts the file's name is refused")
    func contradictingID() throws {
        let file = KeyFile(path: try folder.makeKey(id: "ABCDEFGHIJ"))
        #expect(throws: SigningError(.idMismatch, "")) { try file.load(id: "OTHER12345", passphrase: nil, slots: 1) }
    }

    @Test("The remedy for a SEC1 key names the command that converts it")
    func sec1Remedy() throws {
        try folder.openssl(
            "ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", "SubscriptionKey_X.p8",
            makes: "SubscriptionKey_X.p8")
        let error = #expect(throws: SigningError.self) {
            try KeyFile(path: folder.path("SubscriptionKey_X.p8")).load(passphrase: nil, slots: 1)
        }
        #expect(error?.detail.contains("openssl pkcs8 -topk8 -nocrypt") == true)
    }
}
