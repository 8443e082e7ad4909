import AppStore
import ArgumentParser
import FoundationEssentials
import WireText

/// Commands about the texts of Retention Messaging.
struct RetentionMessagesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "messages", abstract: "Upload, list and delete texts.",
        subcommands: [Upload.self, List.self, Delete.self])

    struct Upload: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Upload a text and print its id, which campaigns name as `message`.",
            discussion:
                "Apple looks at it before it is shown; the sandbox approves at once. A text that goes with an offer has no picture."
        )

        @OptionGroup var retention: RetentionOptions

        @Option(help: "The header, 66 characters at most.")
        var header: String

        @Option(help: "The text, 144 characters at most.")
        var body: String

        @Option(help: ArgumentHelp("A picture that was uploaded.", valueName: "id"))
        var image: UUID?

        @Option(help: "What the picture shows, for those who do not see it; 150 characters at most.")
        var altText: String?

        @Option(help: ArgumentHelp("A UUID to know it by. Default: a new one.", valueName: "id"))
        var id: UUID?

        func validate() throws {
            if (image == nil) != (altText == nil) { throw ValidationError("--image and --alt-text go together") }
        }

        func run() async throws {
            let message: RetentionMessage
            do throws(RetentionFault) {
                let image = image.map { RetentionMessage.Image(identifier: $0, altText: altText ?? "") }
                message = try RetentionMessage(header: header, body: body, image: image)
            } catch {
                throw ValidationError("\(error)")
            }
            let identifier = id ?? UUID()
            try await retention.ask { api, environment throws(AppStoreError) in
                try await api.upload(message, as: identifier, in: environment)
            }
            print(identifier.lowerCaseString)
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the texts with what Apple says of them.")

        @OptionGroup var retention: RetentionOptions

        @Flag(help: "Print one line of JSON.")
        var json = false

        func run() async throws {
            let found = try await retention.ask { api, environment throws(AppStoreError) in
                try await api.retentionMessages(in: environment)
            }
            RetentionUploadText.report(found, json: json)
        }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Delete a text. Live campaigns and the configuration that name it no longer show it.")

        @OptionGroup var retention: RetentionOptions

        @Argument(help: "Its id.")
        var id: UUID

        func run() async throws {
            try await retention.ask { api, environment throws(AppStoreError) in
                try await api.deleteRetentionMessage(id, in: environment)
            }
            print("deleted")
        }
    }
}
