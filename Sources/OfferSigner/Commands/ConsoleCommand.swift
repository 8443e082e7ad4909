import ArgumentParser
import EligibilityRules
import OfferService

/// Commands about the console.
struct ConsoleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "console",
        abstract: "Give access to the console.",
        subcommands: [Link.self]
    )

    /// Creates a link that signs in once.
    struct Link: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print a link that signs in to the console, once, within ten minutes.",
            discussion:
                "Signs in with the named access key; without --access as the administrator, whose access key is made if there is none."
        )

        // Marks an administrator's key that was made for links. Its secret is never shown.
        private static let note = "administrator"

        @OptionGroup var options: ConfigurationOptions

        @Option(help: ArgumentHelp("The access key to sign in as.", valueName: "id"))
        var access: String?

        @Option(help: ArgumentHelp("Where browsers reach the service. Default: the address it listens on.", valueName: "url"))
        var baseURL: String?

        func run() async throws {
            let door = try CommandDoor(options)
            let id = try await accessID(door)
            let link = try await door.sessions.makeLink(accessID: id)
            print("\(base(door.configuration))/console/sign-in?link=\(link)")
            try await door.close()
        }

        private func accessID(_ door: CommandDoor) async throws -> String {
            let keys = try await door.access.list(for: .commandLine)
            let now = SystemEnvironment.live.now()
            if let access {
                let id = AccessToken(access[...])?.id ?? access
                guard keys.contains(where: { $0.id == id && $0.isGood(at: now) }) else {
                    throw CommandRefusal("no valid access key has this id; see offersigner access list")
                }
                return id
            }
            let own = keys.first {
                $0.role == Role.admin.rawValue && $0.apps == nil && $0.note == Self.note && $0.isGood(at: now)
            }
            if let own { return own.id }
            return try await door.access.create(
                AccessKeyRequest(role: .admin, apps: nil, note: Self.note), by: .commandLine
            ).key.id
        }

        private func base(_ configuration: ServiceConfiguration) -> String {
            if let baseURL { return baseURL.hasSuffix("/") ? String(baseURL.dropLast()) : baseURL }
            let http = configuration.http
            let host = ["0.0.0.0", "::"].contains(http.host) ? "127.0.0.1" : http.host
            let shown = host.contains(":") ? "[\(host)]" : host
            return "\(http.tls == nil ? "http" : "https")://\(shown):\(http.port)"
        }
    }
}
