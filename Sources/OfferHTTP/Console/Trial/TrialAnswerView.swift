import EligibilityRules
import OfferService

/// The outcome of a trial.
struct TrialAnswerView: TemplateView {
    /// What to know about the customer's history.
    let notice: MarkView?
    let verdict: TrialVerdict
    /// The customer; nil if no purchases are stored.
    let customer: TrialCustomerView?
    /// The number of campaigns, for people.
    let count: String
    let campaigns: [ExplanationView]
    /// The ids of the paused campaigns.
    let paused: [String]
    /// Whether there is no campaign.
    let isNone: Bool
    let campaignsPath: String
    let past: TimelineView?

    /// Creates the view of an answer.
    ///
    /// - Parameter events: the customer's events until then, oldest first.
    init(answer: CampaignTrial.Answer, events: [TimelineEvent], visit: CampaignVisit) {
        let all = answer.evaluation.campaigns
        notice = Self.notice(answer.customer)
        verdict = TrialVerdict(answer, visit)
        customer = answer.customer.trace == .nothing ? nil : TrialCustomerView(answer.customer, visit.time)
        count = ConsoleTime.count(all.count, "campaign")
        campaigns = all.enumerated().map { ExplanationView(explanation: $1, number: $0 + 1, visit: visit) }
        paused = answer.paused
        isNone = all.isEmpty && answer.paused.isEmpty
        campaignsPath = visit.path
        past = TimelineView(events: events, time: visit.time)
    }

    private static func notice(_ customer: TriedCustomer) -> MarkView? {
        switch customer.trace {
        case .nothing:
            MarkView(
                tone: "info", heading: "No purchases are stored for \(customer.name)",
                text:
                    "Either the customer never bought anything, or your server has not sent the history. Tried as a new customer. Check the id: capital letters count."
            )
        case .purchase where customer.identity.customerID == nil:
            MarkView(
                tone: "info", heading: "\(customer.name) leads to purchases, but is not a customer’s own id",
                text:
                    "Campaigns that assign variants by your own id pass this customer over. Give your own id to see what they do."
            )
        default:
            customer.facts.completeness == .complete
                ? nil
                : MarkView(
                    tone: "warn", heading: "The history of \(customer.customerID ?? customer.name) may have gaps",
                    text: "What is not known is never guessed: a condition on it does not match.")
        }
    }
}
