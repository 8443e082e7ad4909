import ArgumentParser
import EligibilityRules
import FoundationEssentials
import OfferService
import OfferStore

/// Creates, lists and revokes access keys.
struct AccessCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "access",
        abstract: "Create, list and revoke access keys.",
        subcommands: [Create.self, List.self, Revoke.self]
    )

    private static func desk(_ store: SigningStore, _ configuration: ServiceConfiguration) -> AccessDesk {
        AccessDesk(store: store.credentials.access, apps: AppDirectory(configuration.apps.map(App.init)), system: .live)
    }

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
        var expiresInDays: Int64?

        @Option(help: "What the key is for, in your words.")
        var note: String?

        func run() async throws {
            let configuration = try options.load()
            let known = Set(configuration.apps.map(\.bundleID))
            if let unknown = apps.first(where: { !known.contains($0) }) {
                throw CommandRefusal("no app \(unknown) in the configuration; it has \(known.sorted().joined(separator: ", "))")
            }
            if let expiresInDays, !(1...36_500).contains(expiresInDays) {
                throw ValidationError("--expires-in-days must be from 1 to 36500")
            }
            guard note?.allSatisfy(\.isWhitespace) != true else {
                throw ValidationError("--note is empty: say what the key is for")
            }
            let store = try configuration.openSigningStore(onWait: StandardError.note)
            let desk = AccessCommand.desk(store, configuration)
            let keyRequest = AccessKeyRequest(
                role: role, apps: apps.isEmpty ? nil : apps, note: note ?? "",
                lifetime: expiresInDays.map { $0 * 86_400_000 })
            let token: AccessToken
            do { token = try await desk.create(keyRequest, by: nil).token } catch let error as AccessError {
                throw CommandRefusal("\(error)")
            }
            try await store.closeSealed(configuration)
            print(token.text)
            // The store in which the key is valid: a relative path names another store in every folder.
            StandardError.note("recorded in \(configuration.storeName)")
        }
    }

    /// Lists every key, without its secret.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the access keys, without their secrets.")

        @OptionGroup var options: ConfigurationOptions

        func run() async throws {
            let store = try options.load().openSigningStore(onWait: StandardError.note)
            let now = SystemEnvironment.live.now()
            print("ID                ROLE       STATE    CREATED               EXPIRES               APPS  NOTE")
            for record in try await store.credentials.access.accessRecords() {
                let columns = [
                    record.id.padded(16), record.role.padded(9), record.state(at: now).padded(7),
                    record.lifetime.createdAt.iso8601.padded(20), (record.lifetime.expiresAt?.iso8601 ?? "never").padded(20),
                    record.apps?.joined(separator: ",") ?? "all", record.note,
                ]
                print(columns.joined(separator: "  "))
            }
        }
    }

    /// Revokes a key.
    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Revoke an access key. Running services refuse it within a quarter of a second."
        )

        @OptionGroup var options: ConfigurationOptions

        @Argument(help: "The key's id: the part between osk_ and the next underscore. A whole key works, too.")
        var id: String

        func run() async throws {
            let configuration = try options.load()
            let store = try configuration.openSigningStore(onWait: StandardError.note)
            let id = AccessToken(Substring(id))?.id ?? id
            do {
                try await AccessCommand.desk(store, configuration).revoke(id, by: nil)
            } catch AccessError.unknownKey {
                // Shows only a text in the form of an id: anything else may be a secret.
                let shown = id.utf8.count == 16 && id.allSatisfy(\.isHexDigit) ? " \(id)" : " of this id"
                throw CommandRefusal("there is no access key\(shown); see offersigner access list")
            }
            try await store.closeSealed(configuration)
            print("revoked \(id)")
        }
    }
}

extension Role: ExpressibleByArgument {}

extension AccessRecord {
    fileprivate func state(at now: Instant) -> String {
        if lifetime.revokedAt != nil { return "revoked" }
        return lifetime.expiresAt.map { $0 <= now } == true ? "expired" : "active"
    }
}
