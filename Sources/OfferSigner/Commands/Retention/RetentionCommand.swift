import ArgumentParser

/// What the App Store needs for Retention Messaging before it asks for anything.
struct RetentionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retention",
        abstract: "Set Retention Messaging up at the App Store: pictures, texts, defaults, the URL; try how fast it is answered.",
        discussion: "The service may be running meanwhile. docs/retention.md explains in which order.",
        subcommands: [
            RetentionImagesCommand.self, RetentionMessagesCommand.self, RetentionDefaultCommand.self, RetentionURLCommand.self,
            RetentionPerformanceTestCommand.self, RetentionSelfTestCommand.self,
        ])
}
