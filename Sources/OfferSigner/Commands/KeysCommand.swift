import ArgumentParser
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
