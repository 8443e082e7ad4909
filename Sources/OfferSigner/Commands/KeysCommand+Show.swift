import ArgumentParser
import EligibilityRules
import FoundationEssentials
import OfferService
import OfferSigning

extension KeysCommand {
    /// Shows all that is known of one key.
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show what a signing key is in each app, and what was decided about it.")

        @OptionGroup var options: ConfigurationOptions

        @Argument(help: "The key's id.")
        var id: String

        func run() async throws {
            let tools = try await KeyTools(options)
            let statuses = try await tools.desk.list(tools.allEntries(), bundleIDs: tools.bundleIDs).filter { $0.keyID == id }
            guard let first = statuses.first else { throw CommandRefusal("there is no key \(id); see offersigner keys list") }
            print(lines: "key                    \(id)\nfingerprint (SHA-256)  \(first.fingerprint)")
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
            try tools.close()
        }
    }

    /// Puts a key file into the key folder.
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
            let tools = try await KeyTools(options)
            do {
                let pem = try TextFile.bytes(of: file, for: "the key file")
                try await tools.stage(pem.withUnsafeBytes(SecretBytes.init(copying:)), keyID: id)
            } catch let error as KeyError {
                throw CommandRefusal("\(error)")
            }
            print("\(id) is staged")
        }
    }
}
