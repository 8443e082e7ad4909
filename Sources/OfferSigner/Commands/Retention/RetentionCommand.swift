import ArgumentParser

/// Commands that set up Retention Messaging at the App Store.
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
