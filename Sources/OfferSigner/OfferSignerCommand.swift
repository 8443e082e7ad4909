import ArgumentParser
import Glibc
import OfferSigning

/// The program: hardens the process before anything touches libcrypto, then runs the command.
@main
struct OfferSignerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "offersigner",
        abstract: "Signs App Store subscription offers, each nonce once.",
        version: ProgramVersion.current,
        subcommands: [
            InitCommand.self, ServeCommand.self, SignCommand.self, VerifyCommand.self, CheckConfigCommand.self,
            CatalogueCommand.self,
            DoctorCommand.self, KeysCommand.self, AccessCommand.self, ConsoleCommand.self, HistoryCommand.self,
            CustomerCommand.self, CampaignsCommand.self, RetentionCommand.self,
            EligibilityCommand.self, ReceiptsCommand.self, RefundsCommand.self, ClockCommand.self, AuditCommand.self,
            StoreCommand.self, ReplicasCommand.self, EventsCommand.self,
            BackupCommand.self, RestoreCommand.self, OpenAPICommand.self, BucketCommand.self,
        ]
    )

    static func main() async {
        do {
            try Crypto.hardenProcess()
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand { try await command.run() } else { try command.run() }
        } catch {
            end(with: error)
        }
    }

    /// Ends the process as the argument parser would, except that `ShownText` makes the message safe for a terminal.
    private static func end(with error: any Error) -> Never {
        let (code, message) = (exitCode(for: error), fullMessage(for: error))
        if message.isEmpty { Glibc.exit(code.rawValue) }
        if code.isSuccess {
            print(lines: message)
        } else if code == .failure, !(error is ConfigurationError) {
            // An error is one line, even if it repeats a text with line feeds. Only help, and faults of options or of the
            // configuration, have several lines.
            StandardError.note(message)
        } else {
            StandardError.write(lines: "\(message)\n")
        }
        Glibc.exit(code.rawValue)
    }
}
