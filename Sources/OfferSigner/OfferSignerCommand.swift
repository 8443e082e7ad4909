import ArgumentParser
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
            BackupCommand.self, RestoreCommand.self, BucketCommand.self,
        ]
    )

    static func main() async {
        do { try Crypto.hardenProcess() } catch { exit(withError: error) }
        await main(nil)
    }
}
