import EligibilityRules
import HTTPTypes
import Hummingbird
import OfferService
import WireText

/// The page that tries an app's campaigns on one customer, and shows what they give and why.
struct TrialPage: Sendable {
    private static let fields = ["id", "at", "at-time", "with", "placement", "plan", "attributes"]
    private static let maxAttributes = Attributes.limit

    let route: CampaignRoute
    let trial: CampaignTrial
    let customers: CustomerDesk

    var routes: [OperationRoute] {
        [route.get("/try") { request, visit in try await page(request.query(Self.fields), visit) }]
    }

    private func page(_ query: [String: String], _ visit: CampaignVisit) async throws -> Response {
        let drafts = try await route.campaigns.all(of: visit.app).filter { $0.draft != nil }
        // A campaign's pages link here with the campaign's id, even if it has no draft. The id is then ignored.
        let with = query["with"].flatMap { id in drafts.contains { $0.name.id == id } ? id : nil }
        let said = (query["attributes"] ?? "").split(whereSeparator: \.isNewline).map { String($0).trimmed }.filter {
            !$0.isEmpty
        }
        var answer: TrialAnswerView?
        var fault: TrialFault?
        if let name = query["id"]?.trimmed, !name.isEmpty {
            do {
                answer = try await self.answer(name, said, with, query, visit)
            } catch let caught as TrialFault {
                fault = caught
            }
        }
        let view = TrialView(query, said: said, drafts: drafts, with: with, answer: answer, error: fault?.text, visit)
        return route.route.pages.page(
            view, title: "Try a customer", at: .trial, in: visit.app.bundleID, for: visit.visitor,
            status: fault == nil ? .ok : .unprocessableContent)
    }

    /// Returns the events of a customer.
    ///
    /// Signatures are among them only if the customer's id is known.
    private func events(_ customer: TriedCustomer, _ app: App) async throws -> [TimelineEvent] {
        if let id = customer.customerID {
            do { return try await customers.timeline(of: id, app).events } catch CustomerError.unknown {}
        }
        return CustomerTimeline(of: customer.facts.links.chains, now: customer.facts.asOf).events
    }

    /// Why the trial did not take place.
    private struct TrialFault: Error {
        let text: String
    }

    private func answer(
        _ name: String,
        _ said: [String],
        _ with: String?,
        _ query: [String: String],
        _ visit: CampaignVisit
    ) async throws -> TrialAnswerView {
        if let fault = Identifier.fault(of: name) { throw TrialFault(text: "The id \(fault).") }
        if said.count > Self.maxAttributes { throw TrialFault(text: "An app sends \(Self.maxAttributes) attributes at most.") }
        if let line = said.first(where: { !$0.dropFirst().contains("=") }) {
            throw TrialFault(text: "“\(line)” is not an attribute. Write a name, = and a value, such as country=US.")
        }
        let moment = MomentFields(date: query["at"] ?? "", time: query["at-time"] ?? "")
        let at = moment.date.isEmpty ? nil : moment.instants(in: visit.zone, isEnd: false)?.first
        if !moment.date.isEmpty, at == nil { throw TrialFault(text: moment.fault(in: visit.zone, isEnd: false)) }
        let placement = query["placement"].flatMap { $0.isEmpty ? nil : $0 }
        do {
            let answer = try await trial.answer(
                CampaignTrial.Question(
                    customer: .anyID(name), attributes: .written(said), placement: placement,
                    billingPlan: TrialView.plan(query), draftOf: with, at: at),
                of: visit.app)
            let events = try await events(answer.customer, visit.app).filter { $0.at <= at ?? visit.now }
            return TrialAnswerView(answer: answer, events: events, visit: visit)
        } catch let error as CampaignError {
            throw TrialFault(text: "The draft cannot be tried: \(error)".firstUppercased)
        }
    }
}

/// The page that tries an app's campaigns on one customer: its form, and the outcome.
struct TrialView: PageView {
    static let template = "try"

    let app: String
    /// The path that the form is sent to.
    let action: String
    /// The form's fields as they were sent.
    let id: String
    let at: String
    let atTime: String
    let placement: String
    let attributes: String
    /// The billing plans; empty if the app's offers do not depend on them.
    let plans: [FieldView.Choice]
    let hasPlans: Bool
    /// The name of the reader's time zone.
    let zone: String
    /// The campaigns with a draft.
    let drafts: [FieldView.Choice]
    /// Whether the form has a placement, another billing plan or attributes. They stand for what the app would state in a request.
    let isSaid: Bool
    /// Why the trial did not take place.
    let error: String?
    let answer: TrialAnswerView?

    /// Creates the page.
    ///
    /// - Parameters:
    ///   - query: the form's fields.
    ///   - said: the attributes that the app would send, one in each element.
    ///   - with: the id of a campaign. Its draft is tried in place of its published revision.
    init(
        _ query: [String: String],
        said: [String],
        drafts: [ManagedCampaign],
        with: String?,
        answer: TrialAnswerView?,
        error: String?,
        _ visit: CampaignVisit
    ) {
        app = visit.app.bundleID
        action = "/console/apps/\(PercentEncoding.encoded(visit.app.bundleID))/try"
        id = query["id"] ?? ""
        at = query["at"] ?? ""
        atTime = query["at-time"] ?? ""
        placement = query["placement"] ?? ""
        attributes = query["attributes"] ?? ""
        zone = visit.zone.label
        self.drafts = drafts.map {
            FieldView.Choice(id: $0.name.id, label: $0.title, isChosen: $0.name.id == with)
        }
        let plan = Self.plan(query)
        plans =
            visit.app.catalogue.hasPlans
            ? BillingPlan.allCases.map {
                FieldView.Choice(id: $0.rawValue, label: $0.label, isChosen: $0 == plan)
            } : []
        hasPlans = !plans.isEmpty
        isSaid = !said.isEmpty || !placement.isEmpty || plan != .upfront
        self.error = error
        self.answer = answer
    }

    /// The billing plan that the form names.
    static func plan(_ query: [String: String]) -> BillingPlan { query["plan"].flatMap { BillingPlan(rawValue: $0) } ?? .upfront }
}
