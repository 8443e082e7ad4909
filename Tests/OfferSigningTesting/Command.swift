package import Foundation
import Glibc

/// Programs that the tests run.
package enum Command {
    /// Runs a program in a folder, and returns its exit status and what it printed to both of its outputs.
    ///
    /// Not with Foundation's `Process`, whose `waitUntilExit` can wait forever when several threads run programs. Files in place
    /// of pipes: programs that start at the same time can inherit each other's pipes, and then wait forever for their end.
    @discardableResult
    package static func run(
        _ program: String,
        _ arguments: [String],
        input: Data = Data(),
        in folder: URL? = nil
    ) throws -> (status: Int32, output: Data) {
        let streams = try TemporaryFolder()
        let (inputFile, outputFile) = (streams.url.appending(path: "input"), streams.url.appending(path: "output"))
        try input.write(to: inputFile)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, inputFile.path, O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, outputFile.path, O_WRONLY | O_CREAT, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        let words = ["env", "-C", folder?.path ?? ".", program] + arguments
        var pointers = words.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        var child: pid_t = 0
        let failure = posix_spawn(&child, "/usr/bin/env", &actions, nil, &pointers, environ)
        guard failure == 0 else { throw POSIXError(POSIXErrorCode(rawValue: failure) ?? .EINVAL) }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        return (status & 0x7f == 0 ? status >> 8 : status, try Data(contentsOf: outputFile))
    }
}

/// The `openssl` program: makes keys of every kind and checks our signatures.
package enum OpenSSLCommand {
    /// Runs it in a folder and gives its exit status and what it printed.
    @discardableResult
    package static func run(
        _ arguments: [String],
        input: Data = Data(),
        in folder: URL? = nil
    ) throws -> (status: Int32, output: Data) {
        try Command.run("/usr/bin/openssl", arguments, input: input, in: folder)
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
        guard status == 0 else {
            throw CocoaError(.fileWriteUnknown, userInfo: ["output": String(decoding: output, as: UTF8.self)])
        }
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
