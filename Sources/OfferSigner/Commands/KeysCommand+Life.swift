import ArgumentParser
import EligibilityRules
import OfferService

extension KeysCommand {
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
            let door = try CommandDoor(options)
            let keys = try await door.keys()
            print(
                "KEY         APP                       STATE     SIGNATURES  LAST SIGNED           SAFE TO REVOKE AFTER  FINGERPRINT (SHA-256)"
            )
            for status in try await keys.list(for: .commandLine) {
                let columns = [
                    status.keyID.padded(10), status.bundleID.padded(24), status.stateName.padded(8),
                    "\(status.signatures)".padded(10), (status.lastSignedAt?.iso8601 ?? "not in 24 hours").padded(20),
                    (status.safeToRevokeAt?.iso8601 ?? "–").padded(20), status.fingerprint,
                ]
                print(columns.joined(separator: "  "))
            }
            try door.closeUnchanged()
        }
    }

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
            try await scope.decide(.activate(id), CommandDoor(options))
        }
    }

    struct Rollback: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Have the previous key sign again."
        )

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var scope: KeyScope

        func run() async throws {
            try await scope.decide(.rollBack(nil), CommandDoor(options))
        }
    }

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
            try await scope.decide(.revoke(id, evenIfActive: evenIfActive), CommandDoor(options))
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

    /// Makes a decision about a key, and prints its effects.
    func decide(_ request: KeyDesk.KeyChangeRequest, _ door: CommandDoor) async throws {
        var mayBeUnread = false
        if case .revoke = request { mayBeUnread = true }
        let keys = try await door.keys(evenIfUnreadable: mayBeUnread)
        let change = try await keys.decide(request, for: apps, by: .commandLine, reason: reason)
        if case .decided(let effects) = change {
            for effect in effects { print("\(effect.bundleID): \(effect.keyID) is \(effect.state)") }
        }
        try await door.close()
    }
}
