import ArgumentParser

/// Campaigns as code.
struct CampaignsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "campaigns",
        abstract: "Campaigns as files: check them, try them on a customer, compare, import and export them.",
        discussion: "docs/campaigns.md explains the files.",
        subcommands: [
            CampaignsValidateCommand.self, CampaignsSimulateCommand.self, CampaignsDiffCommand.self, CampaignsImportCommand.self,
            CampaignsExportCommand.self,
        ])
}
