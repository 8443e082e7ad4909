import ArgumentParser
import EligibilityRules
import OfferService

/// Keeps the campaigns of files as drafts.
struct CampaignsImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Keep the campaigns of files as drafts.",
        discussion: """
            Published campaigns stay as they are, and campaigns that no file names are left alone. Another person then reviews and \
            approves each draft, in the console or with the API. Segments of the files are put into the campaigns that name them; \
            other names are those of stored segments.
            """)

    @OptionGroup var options: ConfigurationOptions

    @Flag(help: "Say what would be done, and do nothing.")
    var dryRun = false

    @Flag(help: "Send each draft to review.")
    var submit = false

    @Argument(help: ArgumentHelp("YAML files, or JSON files whose names end in .json.", valueName: "file"))
    var campaignFiles: [String]

    func run() async throws {
        let door = try CommandDoor(options)
        var isRefused = false
        for campaign in try campaigns() {
            do {
                print("\(campaign.id) of \(campaign.bundleID): \(try await keep(campaign, door.campaigns))")
            } catch let error as CampaignError {
                isRefused = true
                StandardError.note("\(campaign.id) of \(campaign.bundleID): \(error)")
            } catch let error as AppError {
                isRefused = true
                StandardError.note("\(campaign.id): \(error)")
            }
        }
        try await door.close()
        if isRefused { throw ExitCode.failure }
    }

    /// Keeps a campaign as a draft, and returns the outcome in words.
    private func keep(_ campaign: Campaign, _ desk: CampaignAdministration) async throws -> String {
        let app = try desk.apps.app(named: campaign.bundleID, for: .commandLine)
        let text = try await desk.withSegments(CampaignText(json: campaign.json), of: app)
        let known = try await desk.existing(campaign.id, of: app)
        if let known, known.text?.campaign == text.campaign {
            guard submit, known.draft != nil, known.position.after(.submit) != nil else { return "nothing to change" }
        }
        if dryRun { return known == nil ? "would be made" : "the draft would be saved" }
        if known?.text?.campaign != text.campaign {
            let outcome =
                known == nil
                ? try await desk.create(campaign.id, text, of: app, by: .commandLine)
                : try await desk.save(
                    campaign.id, text, basedOn: known?.published?.number, of: app, seen: known?.version, by: .commandLine)
            guard case .done = outcome else { return "another person has just changed it; nothing was done, import it again" }
        }
        guard submit else { return known == nil ? "made, as a draft" : "draft saved" }
        _ = try await desk.take([.submit], campaign.id, of: app, seen: nil, by: .commandLine)
        return "in review"
    }

    private func campaigns() throws -> [Campaign] {
        do throws(CampaignFileFindings) {
            return try CampaignFile.all(campaignFiles).flatMap { file in
                let segments = Segments(file.document.segments)
                return file.document.campaigns.map { $0.withSegmentsPutIn(segments) }
            }
        } catch {
            StandardError.write(lines: "\(error.description)\n")
            throw ExitCode.failure
        }
    }
}
