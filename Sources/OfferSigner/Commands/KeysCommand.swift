import ArgumentParser
import EligibilityRules
import FoundationEssentials
import OfferService
import OfferSigning
import WireText

/// Commands about signing keys.
struct KeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "Say which key signs, and examine key files.",
        subcommands: [List.self, Show.self, Stage.self, Activate.self, Rollback.self, Revoke.self, Check.self]
    )

    /// Checks whether each file can sign offers.
    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Load key files as the service would and say what is wrong with each.",
            discussion: "Exits with 0 only if every file is a usable In-App Purchase key."
        )

        @Argument(help: "Key files, SubscriptionKey_<KEYID>.p8.")
        var files: [String]

        @Option(help: ArgumentHelp("Key id, for a file whose name does not have it.", valueName: "id"))
        var id: String?

        @Option(help: ArgumentHelp("File that holds the passphrase of encrypted keys.", valueName: "file"))
        var passphraseFile: String?

        func run() async throws {
            let passphrase = try passphraseFile.map { try TextFile.read($0, for: "--passphrase-file").trimmed }
            var allGood = true
            for file in files {
                do throws(SigningError) {
                    let key = try KeyFile(path: file).load(id: id, passphrase: passphrase, slots: 1)
                    let isExample = key.fingerprint == KeyFolder.exampleFingerprint
                    print(
                        "\(file): ok, key \(key.id), fingerprint (SHA-256) \(key.fingerprint)\(isExample ? " (published example key)" : "")"
                    )
                } catch {
                    allGood = false
                    print("\(file): \(error.code.rawValue): \(error.detail)")
                }
            }
            if !allGood { throw ExitCode.failure }
        }
    }
}

extension KeysCommand {
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show what a signing key is in each app, and what was decided about it.")

        @OptionGroup var options: ConfigurationOptions

        @Argument(help: "The key's id.")
        var id: String

        func run() async throws {
            let door = try CommandDoor(options)
            let statuses = try await door.keys().statuses(of: id, for: .commandLine)
            print(lines: "key                    \(id)\nfingerprint (SHA-256)  \(statuses[0].fingerprint)")
            for status in statuses {
                print(lines: "\n\(status.bundleID)\n  state                 \(status.stateName)")
                print("  signatures in 24 h    \(status.signatures)")
                print("  last signed           \(status.lastSignedAt?.iso8601 ?? "not in 24 hours")")
                print("  safe to revoke after  \(status.safeToRevokeAt?.iso8601 ?? "–")")
                if let at = status.decidedAt, let by = status.decidedBy {
                    print(
                        "  decided               \(at.iso8601) by \(by)\(status.reason.map { $0.isEmpty ? "" : ": \($0)" } ?? "")"
                    )
                }
            }
            try door.closeUnchanged()
        }
    }

    struct Stage: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Test a key file and put it into the key folder. It signs nothing until it is activated.",
            discussion: "Running services load it within a quarter of a second. Copying the file there yourself does the same."
        )

        @OptionGroup var options: ConfigurationOptions

        @Argument(help: "The key file, SubscriptionKey_<KEYID>.p8.")
        var file: String

        @Option(help: ArgumentHelp("Key id, for a file whose name does not have it.", valueName: "id"))
        var id: String?

        func run() async throws {
            guard let id = id ?? KeyFile(path: file).idInName else {
                throw ValidationError("\(file) does not name its key id: call it SubscriptionKey_<KEYID>.p8, or give --id")
            }
            let door = try CommandDoor(options)
            let pem = try TextFile.bytes(of: file, for: "the key file")
            try await door.keys().stage(
                pem.withUnsafeBytes(SecretBytes.init(copying:)), keyID: id, by: .commandLine)
            try await door.close()
            print("\(id) is staged")
        }
    }
}
