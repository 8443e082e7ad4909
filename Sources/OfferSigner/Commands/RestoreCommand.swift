import ArgumentParser
import EligibilityRules
import OfferService

struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Put the copies of a backup in the place of the store. Stop the service first.",
        discussion: """
            Verifies the copies and accepts the time that this machine shows. Nonces that were issued before are no longer accepted: the \
            copy does not know which of them have been used. The files from before stay, under other names.
            """)

    @OptionGroup var options: ConfigurationOptions

    @Argument(help: ArgumentHelp("The folder that offersigner backup has written.", valueName: "folder"))
    var folder: String

    func run() async throws {
        let backup = try StoreBackup(options.load(), folder: folder)
        let (examination, replaced) = try await backup.restore()
        for file in replaced { print("the file from before is \(file)") }
        guard let examination else { return print("restored the purchases") }
        examination.report()
    }
}
