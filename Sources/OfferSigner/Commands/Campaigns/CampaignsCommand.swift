import ArgumentParser

/// Campaigns as code.
struct CampaignsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "campaigns",
        abstract: "Check files of campaigns, try them on a customer, and compare them.",
        discussion: "The service does not serve campaigns yet. docs/campaigns.md explains the files.",
        subcommands: [CampaignsValidateCommand.self, CampaignsSimulateCommand.self, CampaignsDiffCommand.self])
}
