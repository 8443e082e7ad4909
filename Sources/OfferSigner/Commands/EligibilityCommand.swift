import ArgumentParser
import EligibilityRules
import FoundationEssentials
import OfferHTTP
import OfferService
import OfferStore

/// Answers eligibility from the command line.
struct EligibilityCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "eligibility",
        abstract: "Say which offers a customer may have, and why."
    )

    @OptionGroup var options: ConfigurationOptions

    @OptionGroup var app: AppOptions

    @Option(help: ArgumentHelp("As of this time instead of now, such as 2020-05-18T10:50:00Z.", valueName: "time"))
    var at: String?

    @Option(name: .customLong("product"), help: ArgumentHelp("A product; repeatable. Default: all.", valueName: "id"))
    var products: [String] = []

    @Flag(help: "Print what POST /v1/eligibility answers.")
    var json = false

    @Argument(help: "The app's own id of the customer, or any transaction id of theirs.")
    var customer: String

    func run() async throws {
        let tools = try HistoryTools(options, bundleID: app.bundleID, environment: app.environment)
        let now = try at.map(Instant.init(iso8601:)) ?? SystemEnvironment.live.now()
        let histories = try tools.configuration.openPurchaseStore(onWait: StandardError.note).histories
        let stored = try await tools.history(of: customer, in: histories).reliable()
        let products = try products.isEmpty ? tools.app.catalogue.sorted : products.map(tools.product)
        _ = tools.app.groups.note(try await histories.seenGroups(partition: tools.app.partition))
        let customer = Customer(stored, of: tools.app, now: now)
        let assessment = Assessment(of: customer, on: products, historyUpdatedAt: stored.updatedAt)
        if json {
            print(String(decoding: EligibilityJSON.body(assessment), as: UTF8.self))
        } else {
            for line in EligibilityText.lines(assessment) { print(line) }
        }
    }
}
