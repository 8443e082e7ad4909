import Foundation
package import OfferSigning

/// Tokens of SoftHSM, the hardware module without hardware, in a folder of their own: all of a test process's.
///
/// SoftHSM reads its configuration where an environment variable says, once: so there is one folder a process.
package final class SoftToken: Sendable {
    /// Made once a process; or why it could not be made.
    package static let shared = Result { try SoftToken() }

    package static let module = "/usr/lib/softhsm/libsofthsm2.so"
    private static let pin = "4711-0815"
    private let folder: TemporaryFolder

    private init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path("tokens"), withIntermediateDirectories: true)
        try folder.write("directories.tokendir = \(folder.path("tokens"))\nlog.level = ERROR\n", to: "softhsm2.conf")
        setenv("SOFTHSM2_CONF", folder.path("softhsm2.conf"), 1)
        for token in ["offers", "others"] {
            try run(
                "/usr/bin/softhsm2-util", "--init-token", "--free", "--label", token, "--pin", Self.pin, "--so-pin",
                "so-\(Self.pin)")
        }
        try makeKey("first", id: "01", in: "offers")
        try makeKey("second", id: "02ff", in: "offers")
        try makeKey("wide", id: "03", in: "offers", type: "EC:secp384r1")
        try makeKey("first", id: "01", in: "others")
        try folder.write("\(Self.pin)\n", to: "pin")
        try folder.write("0000\n", to: "changing-pin")
    }

    private func makeKey(_ label: String, id: String, in token: String, type: String = "EC:prime256v1") throws {
        try tool(
            "--token-label", token, "--login", "--pin", Self.pin, "--keypairgen", "--key-type", type, "--label", label, "--id", id
        )
    }

    /// Runs pkcs11-tool on the tokens.
    package func tool(_ arguments: String...) throws { try run("/usr/bin/pkcs11-tool", ["--module", Self.module] + arguments) }

    private func run(_ command: String, _ arguments: String...) throws { try run(command, arguments) }

    private func run(_ command: String, _ arguments: [String]) throws {
        let (status, output) = try Command.run(command, arguments)
        guard status == 0 else {
            throw CocoaError(.executableLoad, userInfo: ["output": String(decoding: output, as: UTF8.self)])
        }
    }

    /// Where a key is.
    package func uri(_ key: String, in token: String = "offers", pinFile: String? = "pin") throws -> PKCS11URI {
        let pin = pinFile.map { "&pin-source=file:\(folder.path($0))" } ?? ""
        return try PKCS11URI("pkcs11:token=\(token);\(key)?module-path=\(Self.module)\(pin)")
    }

    /// Takes the tokens away, or puts them back.
    package func move(away: Bool) throws {
        let (here, there) = (folder.path("tokens"), folder.path("tokens.away"))
        try FileManager.default.moveItem(atPath: away ? here : there, toPath: away ? there : here)
    }

    /// Writes the right PIN, or a wrong one, into the file `changing-pin`.
    package func write(rightPIN: Bool, mode: Int = 0o600) throws {
        try folder.write(rightPIN ? Self.pin : "0000", to: "changing-pin")
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.path("changing-pin"))
    }
}
