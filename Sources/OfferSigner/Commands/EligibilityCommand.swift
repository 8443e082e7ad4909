import ArgumentParser
import EligibilityRules
import FoundationEssentials
import OfferHTTP
import OfferService
import OfferStore

/// Says which offers a customer is eligible for.
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

    @Option(help: ArgumentHelp("The billing plan with which the customer would buy.", valueName: "plan"))
    var billingPlan = BillingPlan.upfront

    @Flag(help: "Print what POST /v1/eligibility answers.")
    var json = false

    @Argument(help: "The app's own id of the customer, or any transaction id of theirs.")
    var customer: String

    func run() async throws {
        let tools = try HistoryTools(options, bundleID: app.bundleID, environment: app.environment)
        let now = try at.map(Instant.init(iso8601:)) ?? SystemEnvironment.live.now()
        let histories = try tools.configuration.openPurchaseStore(onWait: StandardError.note).histories
        let stored = try await tools.history(of: customer, in: histories).reliable()
        let all = try products.isEmpty ? tools.app.catalogue.sorted : products.map(tools.product)
        let products = all.map { $0.on(billingPlan) }
        _ = tools.app.groups.note(try await histories.seenGroups(partition: tools.app.partition))
        let customer = Customer(stored, of: tools.app, now: now)
        let assessment = Assessment(of: customer, on: products, historyUpdatedAt: stored.updatedAt)
        if json {
            print(String(decoding: EligibilityJSON.body(assessment), as: UTF8.self))
        } else {
            for line in EligibilityText.lines(assessment) { print(lines: line) }
        }
    }
}

/// Writes an assessment as text for a terminal.
enum EligibilityText {
    /// Returns a paragraph for each product.
    static func lines(_ assessment: Assessment) -> [String] {
        var lines = ["as of \(assessment.asOf.iso8601), history: \(assessment.completeness.rawValue)"]
        for assessed in assessment.products {
            lines.append("")
            lines.append("\(assessed.product.id) (group \(assessed.groupID))")
            lines.append("  subscription: \(text(assessed.subscription))")
            lines.append("  introductory offer: \(text(assessed.introductoryOffer))")
            for offerID in assessed.product.promotionalOfferIDs {
                lines.append("  promotional offer \(offerID): \(text(assessed.promotionalOffers))")
            }
            if !assessed.winBackOfferIDs.isEmpty {
                lines.append("  win-back offers: \(assessed.winBackOfferIDs.joined(separator: ", "))")
                lines += assessed.winBackLinks.map { "    \($0.offerID): \($0.link)" }
            }
        }
        return lines
    }

    private static func text(_ status: SubscriptionStatus) -> String {
        guard let transaction = status.transaction, let expiry = transaction.expiry else { return status.state.rawValue }
        let renewal = status.willRenew.map { $0 ? ", will renew" : ", will not renew" } ?? ""
        return "\(status.state.rawValue), \(transaction.productID) until \(expiry.value.iso8601)\(renewal)"
    }

    private static func text(_ verdict: Verdict) -> String {
        let reasons = verdict.reasons.map { "\n    \($0.code): \($0.message)" }.joined()
        let evidence = verdict.transactionID.map { " (transaction \($0))" } ?? ""
        return "\(verdict.status.rawValue)\(evidence)\(reasons)"
    }
}
