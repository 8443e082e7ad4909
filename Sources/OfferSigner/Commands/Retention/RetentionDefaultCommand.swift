import AppStore
import ArgumentParser
import FoundationEssentials
import WireText

/// Commands about default messages.
///
/// The App Store shows one if it gets no answer in real time, and App Store Connect has no setting for this case.
struct RetentionDefaultCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "default", abstract: "Set, show and delete the default message of a product in a locale.",
        discussion: "A product shows no retention message at all in a locale that has no default message.",
        subcommands: [Set.self, Show.self, Delete.self])

    struct Place: ParsableArguments {
        @Argument(help: "Product id.")
        var product: String

        @Argument(help: "One of the App Store's short codes, as in en-US; capitals matter.")
        var locale: String

        /// The arguments in the form that the API takes.
        var place: DefaultMessagePlace { DefaultMessagePlace(productID: product, locale: locale) }
    }

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Make an approved text the default message.")

        @OptionGroup var retention: RetentionOptions
        @OptionGroup var place: Place

        @Argument(help: "The text's id.")
        var message: UUID

        func run() async throws {
            let place = place.place
            try await retention.ask { api, environment throws(AppStoreError) in
                try await api.setDefaultMessage(message, for: place, in: environment)
            }
            print(message.lowerCaseString)
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the id of the default message. Exits with 1 if there is none.")

        @OptionGroup var retention: RetentionOptions
        @OptionGroup var place: Place

        func run() async throws {
            let place = place.place
            let found = try await retention.ask { api, environment throws(AppStoreError) in
                try await api.defaultMessage(for: place, in: environment)
            }
            guard let found else {
                StandardError.note("there is no default message for this product in this locale")
                throw ExitCode.failure
            }
            print(found)
        }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Delete the default message: the product shows no retention message in this locale any more.")

        @OptionGroup var retention: RetentionOptions
        @OptionGroup var place: Place

        func run() async throws {
            let place = place.place
            try await retention.ask { api, environment throws(AppStoreError) in
                try await api.deleteDefaultMessage(for: place, in: environment)
            }
            print("deleted")
        }
    }
}
