import ArgumentParser
import EligibilityRules
import OfferService

/// Creates, lists and revokes access keys.
struct AccessCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "access",
        abstract: "Create, list and revoke access keys.",
        subcommands: [Create.self, List.self, Revoke.self]
    )

    /// Creates a key, and shows it once.
    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make an access key and print it. It is shown this once; only its SHA-256 is kept."
        )

        @OptionGroup var options: ConfigurationOptions

        @Option(help: "What the key may do: \(Role.allCases.map(\.rawValue).joined(separator: ", ")).")
        var role: Role = .client

        @Option(
            name: .customLong("app"),
            help: ArgumentHelp("An app that the key is for; repeat for several. Default: every app.", valueName: "bundle id"))
        var apps: [String] = []

        @Option(help: ArgumentHelp("Days after which the key ends. Default: never.", valueName: "days"))
        var expiresInDays: Int32?

        @Option(help: "What the key is for, in your words.")
        var note: String?

        func run() async throws {
            let door = try CommandDoor(options)
            let end = expiresInDays.map { SystemEnvironment.live.now().advanced(by: Int64($0) * 86_400_000) }
            let keyRequest = AccessKeyRequest(role: role, apps: apps.isEmpty ? nil : apps, note: note, expiresAt: end)
            let token: AccessToken
            do {
                token = try await door.access.create(keyRequest, by: .commandLine).token
            } catch RequestFault.invalidFields(let faults) {
                let named = ["expiresAt": "expires-in-days"]
                throw CommandRefusal(faults.map { "--\(named[$0.name] ?? $0.name) \($0.reason)" }.joined(separator: "; "))
            }
            try await door.close()
            print(token.text)
            // The message says in which store the key is valid, because a relative path names another store in every folder.
            StandardError.note("recorded in \(door.configuration.storeName)")
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the access keys, without their secrets.")

        @OptionGroup var options: ConfigurationOptions

        func run() async throws {
            let door = try CommandDoor(options)
            let now = SystemEnvironment.live.now()
            print("ID                ROLE       STATE    CREATED               EXPIRES               APPS  NOTE")
            for key in try await door.access.list(for: .commandLine) {
                let columns = [
                    key.id.padded(16), key.role.padded(9), key.state(at: now).rawValue.padded(7),
                    key.createdAt.iso8601.padded(20), (key.expiresAt?.iso8601 ?? "never").padded(20),
                    key.apps?.joined(separator: ",") ?? "all", key.note,
                ]
                print(columns.joined(separator: "  "))
            }
        }
    }

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Revoke an access key. Running services refuse it within a quarter of a second."
        )

        @OptionGroup var options: ConfigurationOptions

        @Argument(help: "The key's id: the part between osk_ and the next underscore. A whole key works, too.")
        var id: String

        func run() async throws {
            let door = try CommandDoor(options)
            let id = AccessToken(Substring(id))?.id ?? id
            do {
                try await door.access.revoke(id, by: .commandLine)
            } catch AccessError.unknownKey {
                // The message repeats the text only if it has the form of an id, because anything else may be a secret.
                let shown = id.utf8.count == 16 && id.allSatisfy(\.isHexDigit) ? " \(id)" : " of this id"
                throw CommandRefusal("there is no access key\(shown); see offersigner access list")
            }
            try await door.close()
            print("revoked \(id)")
        }
    }
}

extension Role: ExpressibleByArgument {}
