import ArgumentParser

/// What is done to the store as a whole.
struct StoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Make the store.",
        subcommands: [Create.self]
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
}
