import ArgumentParser
import EligibilityRules
import OfferService
import OfferSigning
import OfferStore

extension KeysCommand {
    /// Lists the state of every key.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the signing keys: state by app, signatures of the last 24 hours, when it is safe to revoke each.",
            discussion: """
                A fingerprint is the SHA-256 of the public key. The same from a file:
                openssl pkey -in FILE -pubout -outform DER | openssl dgst -sha256
                """
        )

        @OptionGroup var options: ConfigurationOptions

        func run() async throws {
            let tools = try await KeyTools(options)
            print(
                "KEY         APP                       STATE     SIGNATURES  LAST SIGNED           SAFE TO REVOKE AFTER  FINGERPRINT (SHA-256)"
            )
            for status in try await tools.desk.list(tools.allEntries(), bundleIDs: tools.bundleIDs) {
                let columns = [
                    status.keyID.padded(10), status.bundleID.padded(24), status.state.rawValue.padded(8),
                    "\(status.signatures)".padded(10), (status.lastSignedAt?.iso8601 ?? "not in 24 hours").padded(20),
                    (status.safeToRevokeAt?.iso8601 ?? "–").padded(20), status.fingerprint,
                ]
                print(columns.joined(separator: "  "))
            }
            try tools.close()
        }
    }

    /// Makes a key sign.
    struct Activate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Have a key of the key folder sign from now on; the key before it stops signing and retires.",
            discussion: "Running services follow within a quarter of a second, without a restart."
        )

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var scope: KeyScope

        @Argument(help: "The key's id.")
        var id: String

        func run() async throws {
            let tools = try await KeyTools(options)
            try await tools.decide(.activate(id), scope)
        }
    }

    /// Reverts the last activation.
    struct Rollback: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Have the previous key sign again."
        )

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var scope: KeyScope

        func run() async throws {
            let tools = try await KeyTools(options)
            try await tools.decide(.rollBack(nil), scope)
        }
    }

    /// Revokes a key.
    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Have a key never sign again, for its apps or those of --app. Running services stop within a quarter of a second.",
            discussion: "This is for the service; revoke the key in App Store Connect, too."
        )

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var scope: KeyScope

        @Argument(help: "The key's id.")
        var id: String

        @Flag(help: "Revoke the key even if it is the active one; the app then has none.")
        var evenIfActive = false

        func run() async throws {
            let tools = try await KeyTools(options)
            try await tools.decide(.revoke(id, evenIfActive: evenIfActive), scope)
        }
    }
}

/// The apps that a decision about a signing key is for, and its reason.
struct KeyScope: ParsableArguments {
    @Option(
        name: .customLong("app"),
        help: ArgumentHelp(
            "An app that it is for; repeat for several. Default: every app that the key serves.", valueName: "bundle id"))
    var apps: [String] = []

    @Option(help: "Why, in your words; it is kept.")
    var reason = ""
}
