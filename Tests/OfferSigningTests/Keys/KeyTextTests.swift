import Foundation
import OfferSigning
import OfferSigningTesting
import Testing

@Suite("Key files that were changed on their way")
struct KeyTextTests {
    /// What was done to a good file, and the code of what is said about it.
    struct Mistake: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let code: SigningError.Code
        let change: @Sendable (String) -> [UInt8]

        init(_ description: String, _ code: SigningError.Code, _ change: @escaping @Sendable (String) -> String) {
            self.init(description, code, bytes: { Array(change($0).utf8) })
        }

        init(_ description: String, _ code: SigningError.Code, bytes change: @escaping @Sendable (String) -> [UInt8]) {
            (testDescription, self.code, self.change) = (description, code, change)
        }

        static func lines(_ text: String) -> [Substring] { text.split(separator: "\n") }

        static func utf16(_ text: String, _ encoding: String.Encoding) -> [UInt8] { Array(text.data(using: encoding)!) }

        static let all = [
            Mistake("line breaks lost", .lineBreaks) { lines($0).joined() },
            Mistake("line breaks lost but the last", .lineBreaks) { lines($0).joined() + "\n" },
            Mistake("line breaks turned into spaces", .lineBreaks) { $0.replacing("\n", with: " ") },
            Mistake("one line break lost", .lineBreaks) { $0.replacing("KEY-----\nM", with: "KEY-----M") },
            Mistake("the last line break lost", .lineBreaks) { $0.replacing("\n-----END", with: "-----END") },
            Mistake("empty lines between", .lineBreaks) { $0.replacing("\n", with: "\n\n") },
            Mistake("CR alone", .lineBreaks) { $0.replacing("\n", with: "\r") },
            Mistake("indented with spaces", .indented) { lines($0).map { "    \($0)\n" }.joined() },
            Mistake("indented with a tab", .indented) { lines($0).map { "\t\($0)\n" }.joined() },
            Mistake("RTF", .richText) { "{\\rtf1\\ansi\n" + $0.replacing("\n", with: "\\\n") + "}" },
            Mistake("UTF-16, little endian, with its mark", .utf16, bytes: { [0xFF, 0xFE] + utf16($0, .utf16LittleEndian) }),
            Mistake("UTF-16, big endian, with its mark", .utf16, bytes: { [0xFE, 0xFF] + utf16($0, .utf16BigEndian) }),
            Mistake("UTF-16, little endian", .utf16, bytes: { utf16($0, .utf16LittleEndian) }),
            Mistake("UTF-16, big endian", .utf16, bytes: { utf16($0, .utf16BigEndian) }),
            Mistake("UTF-32 with its mark", .utf16, bytes: { [0xFF, 0xFE, 0, 0] + utf16($0, .utf32LittleEndian) }),
            Mistake("UTF-32, big endian", .utf16, bytes: { utf16($0, .utf32BigEndian) }),
            Mistake("DER", .notPEM, bytes: { Array(Data(base64Encoded: lines($0).dropFirst().dropLast().joined())!) }),
            Mistake("gzip", .notPEM, bytes: { _ in [0x1F, 0x8B, 8, 0, 0, 0, 0, 0] }),
            Mistake("percent-encoded", .damaged) { $0.addingPercentEncoding(withAllowedCharacters: .alphanumerics)! },
            Mistake("as a form sends it", .damaged) {
                $0.replacing(" ", with: "+").replacing("\n", with: "%0A").replacing("/", with: "%2F")
            },
            Mistake("LF CR", .lineBreaks) { $0.replacing("\n", with: "\n\r") },
            Mistake("+ as a space", .damaged) { text in
                lines(text).map { $0.hasPrefix("-") ? "\($0)\n" : "\($0.prefix(9)) \($0.dropFirst(10))\n" }.joined()
            },
            Mistake("Base64 of the PEM", .base64OfPEM) { Data($0.utf8).base64EncodedString() },
            Mistake("Base64 of the PEM, in lines", .base64OfPEM) {
                Data($0.utf8).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
            },
            Mistake("without its first and last line", .frameMissing) {
                lines($0).dropFirst().dropLast().joined(separator: "\n")
            },
            Mistake("with dashes for hyphens", .frameMissing) { $0.replacing("-----", with: "—–") },
            Mistake("an HTML page", .webPage) { _ in "\n<!DOCTYPE html><p>Sign in to download</p>" },
            Mistake("cut off", .damaged) { String($0.prefix(120)) },
            Mistake("quoted", .damaged) { $0.replacing("\nM", with: "\n> M") },
            Mistake("escaped twice", .lineBreaks) { $0.replacing("\n", with: "\\\\n") },
        ]
    }

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func error(of bytes: [UInt8], passphrase: String? = nil) throws -> SigningError {
        let path = folder.path("SubscriptionKey_CHANGED123.p8")
        try Data(bytes).write(to: URL(filePath: path))
        chmod(path, 0o600)
        return try #require(throws: SigningError.self) { try KeyFile(path: path).load(passphrase: passphrase, slots: 1) }
    }

    @Test("What was done to a file is named, without a byte of the key", arguments: Mistake.all)
    func mistake(_ mistake: Mistake) throws {
        let text = try String(contentsOfFile: folder.makeKey(), encoding: .utf8)
        let found = try error(of: mistake.change(text))
        #expect(found.code == mistake.code)
        let body = Mistake.lines(text).dropFirst().dropLast().joined()
        for start in stride(from: 0, to: body.count - 8, by: 8) {
            let part = body.dropFirst(start).prefix(8)
            #expect(!found.detail.contains(part), "\(found.detail)")
        }
        #expect(!found.detail.contains("it holds a PKCS#8 key; download"), "it cannot be downloaded twice")
    }

    @Test("An encrypted key is diagnosed in the same way")
    func encrypted() throws {
        let (plain, name) = (try folder.makeKey(), "SubscriptionKey_SECRET1234.p8")
        try folder.openssl(
            "pkcs8", "-topk8", "-v2", "aes-256-cbc", "-passout", "pass:right", "-in", plain, "-out", name, makes: name)
        let text = try String(contentsOfFile: folder.path(name), encoding: .utf8)
        let found = try error(of: Array(text.replacing("\n", with: " ").utf8), passphrase: "right")
        #expect(found.code == .lineBreaks)
    }

    @Test("What harms nothing is accepted", arguments: ["\r\n", "\\n", "\n"])
    func harmless(lineEnd: String) throws {
        let text = try String(contentsOfFile: folder.makeKey(), encoding: .utf8)
        for (before, after) in [("", ""), ("\u{FEFF}", ""), ("\n\n  ", "\n\n"), ("Bag Attributes\n    x: y\n", "")] {
            try folder.write(before + text.replacing("\n", with: lineEnd) + after, to: "SubscriptionKey_HARMLESS12.p8")
            let file = KeyFile(path: folder.path("SubscriptionKey_HARMLESS12.p8"))
            #expect(try file.load(passphrase: nil, slots: 1).id == "HARMLESS12", "\(before.debugDescription)")
        }
    }
}
