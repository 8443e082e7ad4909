import Foundation

extension TestAuthority {
    /// Signs receipts like the App Store, with RSA; made once a process, or why it could not be made.
    package static let receipts = Result { try TestAuthority { try $0.makeReceiptChains() } }

    private func makeReceiptChains() throws {
        try make("root", by: nil, Self.authority, subject: "Root", years: 2014...2039, digest: "sha1")
        try make("intermediate", by: "root", Self.intermediate, subject: "Intermediate", years: 2021...2036)
        try make("leaf", by: "intermediate", Self.leaf)
        try make("sha1-intermediate", by: "root", Self.intermediate, subject: "Old", years: 2014...2036, digest: "sha1")
        try make("sha1-leaf", by: "sha1-intermediate", Self.leaf, years: 2016...2024, digest: "sha1")
        try make("plain-leaf", by: "intermediate", "keyUsage=critical,digitalSignature\n")
        try make("ec-leaf", "P-256", by: "intermediate", Self.leaf)
        try make("weak-leaf", bits: 1024, by: "intermediate", Self.leaf)
        try make("plain-intermediate", by: "root", Self.authority, subject: "Plain", years: 2021...2036)
        try make("leaf-of-plain", by: "plain-intermediate", Self.leaf)
        try make("forged-root", by: nil, Self.authority, subject: "Root", years: 2014...2039)
        try make("forged-intermediate", by: "forged-root", Self.intermediate, subject: "Intermediate", years: 2021...2036)
        try make("forged-leaf", by: "forged-intermediate", Self.leaf, subject: "leaf")
        try make("xcode", by: nil, "keyUsage=critical,digitalSignature\n", subject: "StoreKit")
    }

    /// PKCS#7 signed-data over some content.
    ///
    /// - Parameters:
    ///   - names: certificates; the first one's key signs.
    ///   - options: more of `openssl cms -sign`, as `-stream` for BER of indefinite length.
    package func receipt(
        _ content: [UInt8],
        _ names: [String] = ["leaf", "intermediate", "root"],
        digest: String = "sha256",
        _ options: [String] = []
    ) throws -> [UInt8] {
        let name = UUID().uuidString
        let files = ["\(name).in", "\(name).pem", "\(name).out"]
        defer { for file in files { try? FileManager.default.removeItem(atPath: folder.path(file)) } }
        try Data(content).write(to: folder.url.appending(path: files[0]))
        try Data(try names.dropFirst().flatMap(pem)).write(to: folder.url.appending(path: files[1]))
        var arguments = ["cms", "-sign", "-binary", "-nodetach", "-noattr", "-md", digest, "-in", files[0], "-out", files[2]]
        arguments += ["-outform", "DER", "-signer", "\(names[0]).pem", "-inkey", "\(names[0]).key"] + options
        if names.count > 1 { arguments += ["-certfile", files[1]] }
        let (status, output) = try OpenSSLCommand.run(arguments, in: folder.url)
        guard status == 0 else {
            throw CocoaError(.fileWriteUnknown, userInfo: ["output": String(decoding: output, as: UTF8.self)])
        }
        return Array(try Data(contentsOf: folder.url.appending(path: files[2])))
    }
}
