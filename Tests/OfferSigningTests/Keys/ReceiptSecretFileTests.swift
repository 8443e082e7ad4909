import Foundation
import Testing

@testable import OfferSigning

@Suite("Receipt secrets on disk")
struct ReceiptSecretFileTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path

    init() throws {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    @Test("One is made once, for its owner only, and each of them is another")
    func create() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (first, second) = (ReceiptSecretFile(folder: folder, number: 1), ReceiptSecretFile(folder: folder, number: 2))
        #expect(first.path.hasSuffix("/ReceiptSecret_0001.key"))
        #expect(try first.create() && second.create())
        let content = FileManager.default.contents(atPath: first.path)
        #expect(try !first.create())
        #expect(FileManager.default.contents(atPath: first.path) == content && content?.count == 32)
        let mode = try FileManager.default.attributesOfItem(atPath: first.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(try first.load().id == first.load().id)
        #expect(try first.load().id != second.load().id)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 2)
    }

    @Test("A file that others may read, or that is cut short, is not used, and the error names it")
    func unusable() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = ReceiptSecretFile(folder: folder, number: 1)
        _ = try file.create()
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
        let readable = #expect(throws: SigningError.self) { try file.load() }
        #expect(readable?.code == .fileReadableByOthers && readable?.detail.contains(file.path) == true)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        try Data(count: 31).write(to: URL(fileURLWithPath: file.path))
        let short = #expect(throws: SigningError.self) { try file.load() }
        #expect(short?.detail.contains("31 bytes") == true)
    }

    @Test(
        "Only names of the form are secrets",
        arguments: [
            ("ReceiptSecret_0001.key", 1), ("ReceiptSecret_12345.key", 12345), ("ReceiptSecret_.key", nil),
            ("ReceiptSecret_0001.key.new", nil), ("AuditKey_0001.pem", nil),
        ] as [(String, Int?)])
    func names(name: String, number: Int?) { #expect(ReceiptSecretFile.number(inName: name) == number) }
}
