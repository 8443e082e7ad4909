import Foundation
import Testing

@testable import OfferSigning

@Suite("Secrets of webhooks")
struct WebhookSecretTests {
    private static let seeds = [
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
    ]

    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path

    init() throws {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    private func load(_ text: String, mode: Int = 0o600) throws -> [WebhookSecret] {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/secret"
        _ = FileManager.default.createFile(atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: mode])
        return try WebhookSecretFile(path: path).load()
    }

    private static func bytes(_ hexadecimal: String) -> [UInt8] {
        stride(from: 0, to: hexadecimal.count, by: 2).map {
            UInt8(hexadecimal.dropFirst($0).prefix(2), radix: 16)!
        }
    }

    private static func line(_ prefix: String, _ bytes: [UInt8]) -> String { prefix + Data(bytes).base64EncodedString() }

    @Test("A shared secret signs as in the vector of the Standard Webhooks libraries")
    func shared() throws {
        let secret = try #require(try load("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n").first)
        let message = Array(#"msg_p5jXN8AQM9LWM0D4loKWxJek.1614265330.{"test": 2432232314}"#.utf8)
        #expect(try secret.sign(message) == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
        #expect(secret.publicKey == nil)
    }

    @Test(
        "A key signs as in RFC 8032, whether its public half follows the seed or not",
        arguments: [
            (
                seeds[0], "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
                "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
            ),
            (
                seeds[1], "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
                "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
            ),
            (
                seeds[2], "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
                "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"
            ),
        ])
    func ownKey(seed: String, publicKey: String, message: String, signature: String) throws {
        let (seed, publicKey) = (Self.bytes(seed), Self.bytes(publicKey))
        let secrets = try load([seed, seed + publicKey].map { Self.line("whsk_", $0) }.joined(separator: "\n"))
        #expect(secrets.count == 2)
        for secret in secrets {
            #expect(try secret.sign(Self.bytes(message)) == Self.line("v1a,", Self.bytes(signature)))
            #expect(secret.publicKey == Self.line("whpk_", publicKey))
        }
    }

    @Test(
        "What is no secret is refused, and the error names the file and repeats nothing of it",
        arguments: [
            "", "\n\n", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_MfKQ9r8G", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS",
            "whsk_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", line("whsk_", bytes(seeds[0]) + bytes(seeds[1])),
            line("whsec_", [UInt8](repeating: 1, count: 65)), "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\nMfKQ9r8G",
        ])
    func unusable(text: String) throws {
        let error = #expect(throws: SigningError.self) { try load(text) }
        #expect(error?.code == .damaged && error?.detail.contains(folder) == true)
        #expect(error?.detail.contains("MfKQ9r8G") == false)
    }

    @Test("A file that others may read is refused")
    func readable() throws {
        let error = #expect(throws: SigningError.self) {
            try load("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n", mode: 0o644)
        }
        #expect(error?.code == .fileReadableByOthers)
    }
}
