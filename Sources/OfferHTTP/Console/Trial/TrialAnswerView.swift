import EligibilityRules
import OfferService

/// The result of trying the campaigns on a customer.
struct TrialAnswerView: TemplateView {
    /// A notice about the customer's purchase history, such as that it is incomplete; nil if there is nothing to say.
    let notice: MarkView?
    let verdict: TrialVerdict
    /// The customer; nil if no purchases are stored.
    let customer: TrialCustomerView?
    /// The number of campaigns, for people.
    let count: String
    let campaigns: [ExplanationView]
    /// The ids of the paused campaigns, which are not tried.
    let paused: [String]
    /// Whether the app has no campaigns.
    let isNone: Bool
    let campaignsPath: String
    let past: TimelineView?

    /// - Parameter events: the customer's events up to the time of the trial, oldest first.
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

/// The result of a trial in words: what the customer gets, and why.
struct TrialVerdict: TemplateView {
    let tone: String
    let badge: String
    /// The time for which the trial computed the result.
    let asOf: RichText
    let sentence: String
    let because: String

    init(_ answer: CampaignTrial.Answer, _ visit: CampaignVisit) {
        let customer = answer.customer
        let decision = answer.evaluation.decision
        asOf = visit.time.at(customer.facts.asOf)
        let name = customer.customerID ?? customer.name
        if let first = decision.offers.first {
            let words = decision.offers.map { given in
                OfferWords(catalogue: visit.app.catalogue, for: given.assignment.revision.campaign).text(given.offer)
            }
            let others = decision.offers.count > 1 ? " and \(ConsoleTime.count(decision.offers.count - 1, "other offer"))" : ""
            let isAllowed = Self.verdict(of: first.offer, for: customer)?.status != .ineligible
            tone = isAllowed ? "good" : "warn"
            badge = isAllowed ? "Gets an offer" : "Apple allows no offer"
            sentence = "Customer \(name) gets \(words[0])\(others)."
            because =
                "Because of \(Self.name(first.assignment)), variant \(first.assignment.variant)."
                + (decision.offers.count > 1 ? " All of them: \(words.joined(separator: "; "))." : "")
            return
        }
        if decision.introductoryOffers.isEmpty, let given = decision.links.first {
            (tone, badge) = ("good", "Gets a link")
            sentence = "Customer \(name) gets the link \(given.url)."
            because = "Because of \(Self.name(given.assignment)), variant \(given.assignment.variant)."
            return
        }
        if let given = decision.introductoryOffers.first {
            let campaign = "\(Self.name(given.assignment)), variant \(given.assignment.variant)"
            let words = OfferWords(catalogue: visit.app.catalogue, for: given.assignment.revision.campaign)
                .text(given.offer, on: answer.billingPlan)
            switch customer.outcome(given) {
            case nil:
                (tone, badge) = ("idle", "The App Store decides")
                sentence = "Customer \(name) is in \(campaign)."
                because = "Apple’s rules give this customer no introductory offer, and the campaign does not give it again."
            case .override(allowed: false):
                (tone, badge) = ("idle", "Gets no introductory offer, on purpose")
                (sentence, because) = ("Customer \(name) gets \(words).", "Because of \(campaign).")
            case .override, .notNeeded:
                (tone, badge) = ("good", "Gets the introductory offer")
                (sentence, because) = ("Customer \(name) gets the \(words).", "Because of \(campaign).")
            }
            return
        }
        tone = "idle"
        guard let first = decision.assignments.first else {
            badge = "Gets no offer"
            sentence = "No campaign takes customer \(name)."
            because = "Below is why each was passed over."
            return
        }
        if case .assigned(let place) = first.allocation {
            let variant = first.revision.campaign.design.variants[place]
            if !variant.isControl {
                badge = "Gets no offer"
                sentence = "Customer \(name) is in \(Self.name(first)), variant \(first.variant)."
                because =
                    variant.offers.isEmpty
                    ? variant.switchTo.map {
                        "The App Store proposes \(OfferWords(catalogue: visit.app.catalogue, for: first.revision.campaign).text($0))."
                    } ?? "The variant gives no promotional offer."
                    : customer.promotionalOffers.status == .eligible
                        ? "None of the variant’s offers is for the billing plan with which the customer buys."
                        : "Apple’s rules give this customer no promotional offer."
                return
            }
        }
        badge = "Gets no offer, on purpose"
        if case .heldOut = first.allocation {
            sentence = "Customer \(name) is held out of \(Self.name(first))."
            because = "Customers who are held out never get it, and show its long-term effect."
        } else {
            sentence = "Customer \(name) is in the control group of \(Self.name(first))."
            because = "That is how we see what happens without an offer."
        }
    }

    private static func name(_ assignment: CampaignAssignment) -> String { "“\(assignment.revision.campaign.name)”" }

    private static func verdict(of offer: CampaignVariant.Offer, for customer: TriedCustomer) -> Verdict? {
        customer.assessment.products.first { $0.product.id == offer.productID }?.promotionalOffers
    }
}
