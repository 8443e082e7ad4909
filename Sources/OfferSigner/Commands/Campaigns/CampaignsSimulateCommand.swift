import ArgumentParser
import EligibilityRules
import OfferService
import OfferStore
import WireText

/// Tries campaigns on one customer.
struct CampaignsSimulateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Say what campaigns give a customer, and why.",
        discussion: """
            Uses the stored purchases. Changes nothing, gives no offer, and ignores limits that are used up. \
            `campaigns validate` says what is wrong with the files.
            """)

    @OptionGroup var options: ConfigurationOptions

    @OptionGroup var app: AppOptions

    @Option(help: ArgumentHelp("The app's own id of the customer, or any transaction id of theirs.", valueName: "id"))
    var customer: String

    @Option(help: ArgumentHelp("Where in the app offers are asked for. Default: no place is named.", valueName: "placement"))
    var placement: String?

    @Option(
        name: .customLong("attribute"),
        help: ArgumentHelp(
            "What the app would say of the customer, such as country=US; repeatable.",
            discussion: "Read as what the campaigns compare it with: a number, true or false, or else a text.",
            valueName: "name=value"))
    var attributes: [String] = []

    @Option(help: ArgumentHelp("The billing plan with which the customer would buy.", valueName: "plan"))
    var billingPlan = BillingPlan.upfront

    @Option(help: ArgumentHelp("As of this time instead of now, such as 2020-05-18T10:50:00Z.", valueName: "time"))
    var at: String?

    @Flag(help: "Print everything that was looked at as one line of JSON.")
    var json = false

    @Argument(help: ArgumentHelp("YAML files, or JSON files whose names end in .json.", valueName: "file"))
    var campaignFiles: [String]

    func validate() throws {
        if let fault = Identifier.fault(of: customer) { throw ValidationError("--customer \(fault)") }
        for attribute in attributes where !attribute.dropFirst().contains("=") {
            throw ValidationError("--attribute \(attribute): must be a name, = and a value, as in country=US")
        }
    }

    func run() async throws {
        let tools = try HistoryTools(options, bundleID: app.bundleID, environment: app.environment)
        let now = try at.map(Instant.init(iso8601:)) ?? SystemEnvironment.live.now()
        let (campaigns, segments) = try await self.campaigns(of: tools.app)
        let histories = try tools.configuration.openPurchaseStore(onWait: StandardError.note).histories
        let person = try await TriedCustomer(
            customer, of: tools.app, in: histories, TriedCustomer.View(now: now, billingPlan: billingPlan))
        let said = AttributeOptions(attributes, for: campaigns.revisions.map(\.campaign), segments)
        for note in notes(person) + said.notes + campaigns.refusals { StandardError.note("note: \(note)") }
        let plan = OfferOccasion.billingPlan(named: billingPlan, at: placement)
        let evaluation = campaigns.explain(
            CampaignContext(
                facts: person.facts, attributes: said.attributes, identity: person.identity, placement: placement,
                withheldOffers: person.withheldOffers(on: plan, of: tools.app)))
        let text = CampaignEvaluationText(evaluation, person, said.attributes, bundleID: tools.app.bundleID)
        if json {
            print(String(decoding: text.json.bytes, as: UTF8.self))
        } else {
            for line in text.lines { print(line) }
        }
    }

    /// Returns notes about the customer, for the operator.
    private func notes(_ person: TriedCustomer) -> [String] {
        switch person.trace {
        case .customerID: []
        case .purchase: ["\(person.name) is not a customer's id but leads to purchases; campaigns with unit customer need the id"]
        case .nothing: ["nothing is known of \(person.name): tried as a customer without purchases"]
        }
    }

    /// Returns the campaigns of the app, and all segments.
    private func campaigns(of app: App) async throws -> (CompiledCampaigns, [Segment]) {
        let files: [CampaignFile]
        do throws(CampaignFileFindings) {
            files = try CampaignFile.all(campaignFiles)
        } catch {
            StandardError.write(lines: "\(error.description)\n")
            throw ExitCode.failure
        }
        let segments = files.flatMap(\.document.segments)
        let campaigns = files.flatMap(\.document.campaigns).filter { $0.bundleID == app.bundleID }
        guard !campaigns.isEmpty else {
            StandardError.note("the files have no campaign of \(app.bundleID)")
            throw ExitCode.failure
        }
        return (
            CompiledCampaigns(campaigns.map { CampaignRevision($0, number: 0) }, segments: Segments(segments)), segments
        )
    }
}

extension CompiledCampaigns {
    /// The campaigns that cannot be tried, and why.
    fileprivate var refusals: [String] {
        refused.map { refusal in
            let findings = refusal.findings.map { "\($0.path): \($0.message)" }
            return "\(refusal.revision.campaign.id) cannot be tried: \(findings.joined(separator: " "))"
        }
    }
}
