import ArgumentParser
import OfferService
import OfferSigning
import OfferStore
import WireText

/// Commands about the receipts that are kept for polling the App Store.
struct ReceiptsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "receipts",
        abstract: "Show how many receipts are kept and what was last said of them; give them another secret.",
        discussion: "The service may be running meanwhile.",
        subcommands: [Show.self, RotateSecret.self],
        defaultSubcommand: Show.self
    )

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show how many receipts are kept, by app and by what was last said of them, and which secrets sealed them."
        )

        @OptionGroup var options: ConfigurationOptions

        @Flag(help: "Print one line of JSON.")
        var json = false

        func run() async throws {
            let configuration = try options.load()
            let store = try configuration.openPurchaseStore(onWait: StandardError.note)
            let summary = ReceiptSummary(
                counts: try await store.receipts.counts(),
                byPrefix: try await store.receipts.counts(byPrefix: SealingKey.headerLength),
                folder: ReceiptSecretFolder(directory: configuration.keys.directory))
            try store.file.close()
            print(lines: json ? summary.json : summary.text)
        }
    }

    struct RotateSecret: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rotate-secret",
            abstract: "Make a secret that seals receipts from now on. Running services use it from their next round on.",
            discussion:
                "Keep the old file until offersigner receipts shows that it has sealed nothing that is kept: each receipt is sealed "
                + "anew when the App Store answers about it."
        )

        @OptionGroup var options: ConfigurationOptions

        func run() async throws {
            let configuration = try options.load()
            let folder = ReceiptSecretFolder(directory: configuration.keys.directory)
            guard let path = try folder.makeNext() else {
                throw CommandRefusal("another process has just made a secret; look at it before you make another")
            }
            print("made \(path)")
        }
    }
}
