import OfferService
import WireText

/// Some customers that were counted.
struct ReachSampleView: TemplateView {
    /// One customer, with what each condition found.
    struct Customer: TemplateView {
        let id: String
        /// The address of the page that tries the campaign on the customer.
        let href: String
        let reasons: [Reason]
    }

    /// What a condition found.
    struct Reason: TemplateView {
        /// `good` or `bad`.
        let tone: String
        let text: String
    }

    let title: String
    let customers: [Customer]

    /// Returns nil if there are no customers.
    ///
    /// - Parameters:
    ///   - title: the words after the number of customers.
    ///   - campaign: the campaign to try.
    init?(_ sample: [AudienceCount.Sampled], _ title: String, _ app: App, campaign: String?) {
        guard !sample.isEmpty else { return nil }
        let trial = "/console/apps/\(PercentEncoding.encoded(app.bundleID))/try"
        let with = campaign.map { "&with=\(PercentEncoding.encoded($0))" } ?? ""
        self.title = "\(ConsoleTime.number(sample.count)) \(title)"
        customers = sample.map { customer in
            let held = Set(customer.obstacles)
            return Customer(
                id: customer.customerID, href: "\(trial)?id=\(PercentEncoding.encoded(customer.customerID))\(with)",
                reasons: customer.reasons.enumerated().map { index, reason in
                    Reason(tone: held.contains(index) ? "bad" : "good", text: reason)
                })
        }
    }
}
