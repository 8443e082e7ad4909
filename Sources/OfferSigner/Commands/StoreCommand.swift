import ArgumentParser

/// What is done to the store as a whole.
struct StoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Make the store, copy it to a database, or take it up after a restore.",
        subcommands: [Create.self, Copy.self, Restored.self]
    )

    /// Makes an empty store.
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

    /// Copies the files of a store to the configured database.
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
            print("copied \(rows) rows\n\(examination.summary)")
        }
    }

    /// Takes up a store that other tools have put back.
    struct Restored: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Make a store fit to be signed on that other tools have put back to an earlier state. Stop the service first.",
            discussion: """
                For a database that was restored with PostgreSQL's tools, or files that were copied by hand; offersigner restore does it \
                itself. Verifies the audit log and accepts the time that this machine shows. Nonces that were issued before are accepted \
                no more: the store does not know which of them have been used.
                """)

        @OptionGroup var options: ConfigurationOptions

        func run() async throws {
            try await options.load().takeUpStore().tell()
        }
    }
}
