import ArgumentParser
import EligibilityRules
import OfferService
import OfferStore

/// Writes the campaigns of the store as a file.
struct CampaignsExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write campaigns as YAML, as they are published or as drafts.",
        discussion:
            "To standard output. Campaigns that have ended, and what was never published, are left out unless they are named.")

    @OptionGroup var options: ConfigurationOptions

    @Option(name: .customLong("app"), help: ArgumentHelp("Those of this app only.", valueName: "bundle id"))
    var bundleID: String?

    @Flag(help: "Write the draft, if there is one, instead of the published revision.")
    var drafts = false

    @Argument(help: ArgumentHelp("These campaigns only.", valueName: "id"))
    var ids: [String] = []

    func run() async throws {
        let configuration = try options.load()
        let store = try configuration.openSigningStore(onWait: StandardError.note)
        let desk = CampaignAdministration(
            store: store.marketing.campaigns, segments: store.marketing.segments, exposures: store.marketing.exposures,
            access: store.credentials.access,
            apps: AppDirectory(configuration.apps.map { App($0) }), system: .live)
        var document = CampaignDocument(campaigns: [])
        for app in desk.apps.all where bundleID == nil || app.bundleID == bundleID {
            for campaign in try await desk.all(of: app) where ids.isEmpty || ids.contains(campaign.name.id) {
                if ids.isEmpty, !drafts, campaign.state == .ended { continue }
                let text = drafts || !ids.isEmpty ? campaign.text : campaign.published?.text
                guard let text else { continue }
                guard let written = text.campaign else {
                    StandardError.note("note: the draft of \(campaign.name.id) is left out: some of it cannot be read yet")
                    continue
                }
                document.campaigns.append(written)
            }
        }
        let found = Set(document.campaigns.map(\.id))
        for id in ids where !found.contains(id) { StandardError.note("there is no campaign \(id)") }
        print(lines: CampaignYAML.text(document), terminator: "")
        try store.file.close()
        guard ids.allSatisfy(found.contains) else { throw ExitCode.failure }
    }
}
