import ArgumentParser
import OfferService

/// Commands about the whole store.
struct StoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract:
            "Make the store, bring it up to date, check or compact it, copy it to a database, or use it after a restore.",
        subcommands: [Create.self, Migrate.self, Check.self, Compact.self, Copy.self, Restored.self]
    )

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make the files of the store that are missing.",
            discussion: "In production nothing else makes them, so that a mistyped path is an error."
        )

        @OptionGroup var options: ConfigurationOptions

        func run() async throws {
            let made = try options.load().createStore(onWait: StandardError.note)
            guard !made.isEmpty else { throw CommandRefusal("the store is there already; nothing was changed") }
            for path in made { print("made \(path)") }
        }
    }

    struct Migrate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Bring the schema of the store up to date, as the next start of the service would.",
            discussion: """
                A service of an earlier release that runs goes on; one that starts afterwards refuses the store. Does nothing where the \
                schema is this release's.
                """)

        @OptionGroup var options: ConfigurationOptions

        func run() async throws {
            let configuration = try options.load()
            try configuration.migrateStore(onWait: StandardError.note)
            print("\(configuration.storeName) is up to date")
        }
    }

    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Look for damage in the store. The service may be running.",
            discussion: """
                Brings the schema up to date, and verifies the audit log, nonces and decisions about keys included. Of files SQLite checks \
                tables and indexes; of a database the places in limits are counted anew. Exit code 1 means damage.
                """)

        @OptionGroup var options: ConfigurationOptions

        func run() async throws {
            let (faults, examination) = try await options.load().examineStore()
            for fault in faults { print(fault) }
            print(lines: examination.summary)
            if !faults.isEmpty || !examination.verdict.isIntact { throw ExitCode.failure }
        }
    }

    struct Compact: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shrink the files of the store by the space that nothing uses. Stop the service first.",
            discussion: """
                What retention frees is used again, and the files do not shrink by themselves. Each file is written anew; that takes up \
                to twice as much space beside it while it lasts.
                """)

        @OptionGroup var options: ConfigurationOptions

        func run() async throws {
            for (path, before, after) in try await options.load().compactStore() {
                print("\(path): \(before) bytes, now \(after)")
            }
        }
    }

    struct Copy: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Copy the files of a store into the PostgreSQL database of the configuration. Stop the service first.",
            discussion: """
                The database, or the first schema of its search_path, must be empty. All is copied in one transaction, read back and \
                compared; the audit log is verified before and after. The files stay, and no service works on them any more.
                """)

        @OptionGroup var options: ConfigurationOptions

        @Option(help: ArgumentHelp("The file of signatures; that of histories is beside it.", valueName: "file"))
        var from: String

        func run() async throws {
            let copying = try StoreCopying(of: StoreFiles(signatures: from), options.load())
            let (rows, examination) = try await copying.run()
            print(lines: "copied \(rows) rows\n\(examination.summary)")
        }
    }

    struct Restored: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Make a store usable that other tools have set back to an earlier state. Stop the service first.",
            discussion: """
                For a database that was restored with PostgreSQL's tools, or files that were copied by hand; offersigner restore does it \
                itself. Verifies the audit log and accepts the time that this machine shows. Nonces that were issued before are no longer \
                accepted: the store does not know which of them have been used.
                """)

        @OptionGroup var options: ConfigurationOptions

        func run() async throws {
            try await options.load().takeUpStore().report()
        }
    }
}
