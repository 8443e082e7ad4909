import ArgumentParser
import OfferService

struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy both files of the store as of one instant, beside a running service, and verify the copy.",
        discussion: """
            The copies have mode 600 and the names of the store's files. A file that is in the folder already is not overwritten. Keep \
            the configuration and the key folder apart from them.
            """)

    @OptionGroup var options: ConfigurationOptions

    @Argument(help: ArgumentHelp("Where the copies go. Made if it is missing.", valueName: "folder"))
    var folder: String

    func run() async throws {
        let backup = try StoreBackup(options.load(), folder: folder)
        let copies = try backup.make { source, share in StandardError.note("\(source): \(Int(share * 100)) %") }
        let examination = try await backup.examine()
        for copy in copies { print("copied to \(copy)") }
        print(lines: examination.summary)
        if !examination.verdict.isIntact { throw ExitCode.failure }
    }
}
