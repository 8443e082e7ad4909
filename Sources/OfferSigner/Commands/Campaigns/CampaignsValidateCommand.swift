import ArgumentParser
import EligibilityRules
import OfferService

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
