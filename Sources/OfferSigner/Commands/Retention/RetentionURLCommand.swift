import AppStore
import ArgumentParser

/// Commands about the URL that the App Store sends its requests in real time to.
struct RetentionURLCommand: AsyncParsableCommand {
    private static let maxLength = 256

    static let configuration = CommandConfiguration(
        commandName: "url", abstract: "Set, show and delete the URL that the App Store asks in real time.",
        subcommands: [Set.self, Show.self, Delete.self])

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Have the App Store ask a URL: https://HOST/v1/appstore/retention/BUNDLE-ID.",
            discussion: "A production URL needs a passed performance test in the sandbox.")

        @OptionGroup var retention: RetentionOptions

        @Argument(help: "https://, 256 characters at most.")
        var url: String

        func validate() throws {
            guard url.hasPrefix("https://"), url.utf16.count <= RetentionURLCommand.maxLength else {
                throw ValidationError("the URL begins with https:// and has \(RetentionURLCommand.maxLength) characters at most")
            }
        }

        func run() async throws {
            try await retention.ask { api, environment throws(AppStoreError) in
                try await api.setRealtimeURL(url, in: environment)
            }
            print(url)
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Print the URL. Exits with 1 if there is none.")

        @OptionGroup var retention: RetentionOptions

        func run() async throws {
            let url = try await retention.ask { api, environment throws(AppStoreError) in
                try await api.realtimeURL(in: environment)
            }
            guard let url else {
                StandardError.note("there is no URL: the App Store does not ask in real time")
                throw ExitCode.failure
            }
            print(url)
        }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Delete the URL: the App Store then shows what App Store Connect says, or the default message.")

        @OptionGroup var retention: RetentionOptions

        func run() async throws {
            try await retention.ask { api, environment throws(AppStoreError) in
                try await api.deleteRealtimeURL(in: environment)
            }
            print("deleted")
        }
    }
}
