import ArgumentParser
import EligibilityRules
import OfferService

/// Commands about campaigns that are written in files.
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

/// Compares two files of campaigns.
struct CampaignsDiffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Say in words what a new file of campaigns changes.",
        discussion: "The order of campaigns, and of conditions in a group, means nothing. Needs no configuration.")

    @Argument(help: ArgumentHelp("The campaigns before the change.", valueName: "old file"))
    var old: String

    @Argument(help: ArgumentHelp("The campaigns after the change.", valueName: "new file"))
    var new: String

    func run() throws {
        let files: [CampaignFile]
        do throws(CampaignFileFindings) {
            files = try CampaignFile.all([old, new])
        } catch {
            StandardError.write(lines: "\(error.description)\n")
            throw ExitCode.failure
        }
        let changes = files[0].document.changes(to: files[1].document)
        if changes.isEmpty { print("no difference") }
        for change in changes {
            print(change.subject)
            for line in change.lines { print("  \(line)") }
        }
    }
}

/// Reports the faults of files of campaigns.
struct CampaignsValidateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "validate",
        abstract: "Check files of campaigns against the catalogue.",
        discussion: """
            Prints each finding with its file, line and field. Campaigns of all files are looked at together. Exits with 1 if there is an \
            error; warnings alone do not fail.
            """)

    @OptionGroup var options: ConfigurationOptions

    @Argument(help: ArgumentHelp("YAML files, or JSON files whose names end in .json.", valueName: "file"))
    var campaignFiles: [String]

    func run() throws {
        let configuration = try options.load()
        let files: [CampaignFile]
        do throws(CampaignFileFindings) {
            files = try CampaignFile.all(campaignFiles)
        } catch {
            for finding in CampaignFileFinding.byLine(error.all) { print(finding.text) }
            print(Self.count(error.all.count, "error"))
            throw ExitCode.failure
        }
        let catalogues = Dictionary(
            configuration.apps.map { ($0.bundleID, $0.catalogue) }, uniquingKeysWith: { first, _ in first })
        let review = DocumentReview(catalogues: catalogues, now: SystemEnvironment.live.now())
        var severities: [CampaignFinding.Severity] = []
        for (file, findings) in zip(files, review.findings(files.map(\.document))) {
            for finding in CampaignFileFinding.byLine(findings.map(file.finding)) { print(finding.text) }
            severities += findings.map(\.severity)
        }
        let errors = severities.count { $0 == .error }
        let parts = [
            Self.count(files.reduce(0) { $0 + $1.document.campaigns.count }, "campaign"),
            Self.count(files.reduce(0) { $0 + $1.document.segments.count }, "segment"),
            Self.count(errors, "error"), Self.count(severities.count - errors, "warning"),
        ]
        print(parts.joined(separator: ", "))
        if errors > 0 { throw ExitCode.failure }
    }

    private static func count(_ count: Int, _ noun: String) -> String {
        "\(count == 0 ? "no" : String(count)) \(noun)\(count == 1 ? "" : "s")"
    }
}
