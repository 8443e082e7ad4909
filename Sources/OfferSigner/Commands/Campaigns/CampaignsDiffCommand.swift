import ArgumentParser
import OfferService

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
