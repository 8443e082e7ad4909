import EligibilityRules
import OfferService
import WireText

/// The number of stored customers in an audience, and how each condition narrows it.
struct ReachCountView: TemplateView {
    /// One condition, with the number of customers who meet it and all conditions before it.
    struct Stage: TemplateView {
        let text: String
        let left: String
        let width: String
    }

    /// Whether the number is an upper bound. That is so if there are conditions on attributes, because only the app knows the
    /// attributes, and such conditions may exclude more customers.
    let isAtMost: Bool
    let matching: String
    let customers: String
    let share: String
    let hasStages: Bool
    let stages: [Stage]
    /// A sentence about the attributes that only the app knows; nil if there are none.
    let attributes: String?
    /// A sentence about customers who never bought anything, whom the count cannot see; nil unless a variant is about introductory
    /// offers.
    let newcomers: String?
    /// A sentence about how many customers remain after the holdout and the enrolment; nil if neither excludes customers.
    let letIn: String?
    /// A sentence about how much the offers may cost; nil if the prices are not known.
    let cost: String?
    /// A sentence about how long a verdict is likely to take; nil while the campaign cannot be read, and once it has begun.
    let forecast: String?
    let unreadable: String?
    let lists: [ReachSampleView]
    let asOf: RichText

    init(
        _ count: AudienceCount,
        _ funnel: AudienceFunnel,
        asOf: RichText,
        form: CampaignForm,
        forecast: String?,
        app: App,
        campaign: String?
    ) {
        isAtMost = !funnel.attributes.isEmpty
        matching = ConsoleTime.number(count.matching)
        customers = ConsoleTime.count(count.customers, "customer")
        share = Self.share(count.matching, of: count.customers)
        stages = funnel.stages.enumerated().map { index, stage in
            let left = count.passed[index + 1]
            return Stage(
                text: Self.words(stage, app.catalogue), left: ConsoleTime.number(left),
                width: ConsoleTime.percent(left, of: max(1, count.customers)))
        }
        hasStages = !stages.isEmpty
        attributes =
            isAtMost ? "Only your app knows \(Self.words(funnel.attributes)), so at most this many fit." : nil
        newcomers = Self.newcomers(count, form)
        letIn = Self.letIn(count.matching, form)
        // To find the storefronts that the audience names, both are needed: only the stages contain the conditions of segments,
        // and only the form's condition contains those on attributes.
        let audience = Condition.all([form.condition].compactMap(\.self) + funnel.stages.map(\.condition))
        cost = Self.cost(count.matching, form, OfferWords(catalogue: app.catalogue, for: audience))
        self.forecast = forecast
        unreadable =
            count.unreadable == 0
            ? nil : "The purchases of \(ConsoleTime.count(count.unreadable, "customer")) cannot be read."
        lists = [
            ReachSampleView(count.sample, "of them, and why", app, campaign: campaign),
            ReachSampleView(count.misses, "who just miss, and why", app, campaign: campaign),
        ].compactMap(\.self)
        self.asOf = asOf
    }

    private static func words(_ stage: AudienceFunnel.Stage, _ catalogue: Catalogue) -> String {
        let text = stage.condition.words(in: catalogue)
        return text.prefix(1).uppercased() + text.dropFirst()
    }

    private static func points(_ text: String) -> Int? { DecimalShift.text(text.trimmed, by: 2).flatMap { Int($0) } }

    /// Returns the holdout and the enrolment in basis points; nil if one of them is not between 0 and 100 %.
    private static func shares(_ form: CampaignForm) -> (holdout: Int, enrolment: Int)? {
        let shares = (points(form[.holdout]) ?? 0, points(form[.enrolment]) ?? Bucket.count)
        return (0...Bucket.count).contains(shares.0) && (0...Bucket.count).contains(shares.1) ? shares : nil
    }

    private static func cost(_ matching: Int, _ form: CampaignForm, _ words: OfferWords) -> String? {
        guard let (holdout, enrolment) = shares(form), let storefront = words.storefront else { return nil }
        let design = CampaignDesign(
            variants: form.variants.map { variant in
                CampaignVariant(
                    id: "", weight: points(variant.weight) ?? 0, offers: variant.offers.compactMap(CampaignVariant.Offer.init),
                    introductoryOffer: variant.offers.lazy.compactMap(CampaignVariant.IntroductoryOffer.init).first)
            }, givesIntroductoryOfferAgain: form[.again] == "yes")
        let letIn = (Bucket.count - holdout) * enrolment
        let limit = Int(form[.total].trimmed.replacing(",", with: "")).map { max(0, $0) }
        let rate = points(form[.expected]).map { Double($0) / Double(Bucket.count) }
        guard let cost = CampaignCost(design, words.catalogue, in: storefront),
            let most = cost.total(customers: matching, letIn: letIn, limit: limit)
        else { return nil }
        let expected = rate.flatMap { cost.total(customers: matching, letIn: letIn, limit: limit, rate: $0) }.map {
            " If as many take it as you expect to reach the goal without an offer (\(form[.expected].trimmed)\u{a0}%): about \(MoneyWords.whole($0, .toNearestOrAwayFromZero))."
        }
        return
            "Customers pay at most \(MoneyWords.whole(most, .up)) less than at regular prices, if each takes it once.\(expected ?? "") \(words.note)"
    }

    private static func letIn(_ matching: Int, _ form: CampaignForm) -> String? {
        guard let (holdout, enrolment) = shares(form), holdout > 0 || enrolment < Bucket.count else { return nil }
        let left = Double(matching) * Double(Bucket.count - holdout) / 10_000 * Double(enrolment) / 10_000
        let steps =
            (holdout > 0 ? ["\(SplitBar.percent(holdout)) held out"] : [])
            + (enrolment < Bucket.count ? ["\(SplitBar.percent(enrolment)) let in"] : [])
        return "With \(steps.joined(separator: " and ")): about \(ConsoleTime.number(Int(left.rounded())))."
    }

    private static func newcomers(_ count: AudienceCount, _ form: CampaignForm) -> String? {
        guard form.variants.contains(where: { $0.offers.contains { CampaignVariant.IntroductoryOffer($0) != nil } }) else {
            return nil
        }
        let days = ConsoleTime.count(count.asking.counts.count, "day")
        return
            "Customers who never bought anything are not counted, because the count reads purchases. In the last \(days), \(ConsoleTime.number(count.newcomers)) of them asked for an offer under an id of yours; there may be more."
    }

    private static func words(_ names: [String]) -> String {
        names.count < 2 ? names.joined() : "\(names.dropLast().joined(separator: ", ")) and \(names.last!)"
    }

    /// Returns a percentage.
    ///
    /// If there is at least one customer, the result is never zero.
    private static func share(_ part: Int, of whole: Int) -> String {
        part > 0 && part * 1000 < whole ? "under 0.1\u{a0}%" : ConsoleTime.share(part, of: whole)
    }
}

/// A sample of the customers that were counted.
struct ReachSampleView: TemplateView {
    /// A customer, with the result of each condition.
    struct Customer: TemplateView {
        let id: String
        /// The address of the page that tries the campaigns on the customer.
        let href: String
        let reasons: [Reason]
    }

    /// The result of a condition for the customer.
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
    ///   - title: the words after the number of customers in the heading.
    ///   - campaign: the id of the campaign whose draft the links try on the customers; nil if it is not created yet.
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
