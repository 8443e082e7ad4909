package import Foundation

/// The `openssl` program: makes keys of every kind and checks our signatures.
package enum OpenSSLCommand {
    /// Runs it in a folder and gives its exit status and what it printed.
    @discardableResult
    package static func run(_ arguments: [String], in folder: URL) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/openssl")
        process.arguments = arguments
        process.currentDirectoryURL = folder
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }
}

/// A folder for one test, removed with it.
package final class TemporaryFolder: Sendable {
    /// Where it is.
    package let url: URL

    /// Makes an empty one.
    package init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "offersigner-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Runs openssl here; the file that it makes gets the mode of a secret.
    package func openssl(_ arguments: String..., makes name: String? = nil) throws {
        let (status, output) = try OpenSSLCommand.run(arguments, in: url)
        guard status == 0 else { throw CocoaError(.fileWriteUnknown, userInfo: ["output": output]) }
        if let name { chmod(path(name), 0o600) }
    }

    /// The path of something in it.
    package func path(_ name: String) -> String { url.appending(path: name).path }

    /// Writes a file with the mode of a secret.
    package func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: url.appending(path: name))
        chmod(path(name), 0o600)
    }

    /// A fresh In-App Purchase key under Apple's name for it.
    package func makeKey(id: String = "TESTKEY123") throws -> String {
        let name = "SubscriptionKey_\(id).p8"
        try openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", name, makes: name)
        return path(name)
    }
}
