package import EligibilityRules
package import OfferStore

/// Shows what a customer would get from the campaigns now, and why, without giving the customer anything.
package struct CampaignTrial: Sendable {
    /// On which customer the campaigns are tried, and under which conditions.
    package struct Question: Sendable {
        /// How the customer is named.
        package enum Whom: Sendable {
            /// By the app's own id, a transaction id or an account token. The trial finds out which of them it is.
            case anyID(String)
            /// By ids of which it is said what they are, such as a transaction id.
            case named(CustomerReference)
        }

        /// The attributes that the app would send about the customer.
        package enum Attributes: Sendable {
            /// In the form in which people write them at the command line: `name=value`.
            case written([String])
            /// In the form in which apps send them.
            case values(EligibilityRules.Attributes)
        }

        package let customer: Whom
        package let attributes: Attributes
        /// The placement in the app; nil if none is given.
        package let placement: String?
        /// The billing plan with which the customer would buy; nil for the placement of Retention Messaging, where it is the plan
        /// of the subscription.
        package let billingPlan: BillingPlan?
        /// The campaign that is tried with its draft in place of its published revision; nil if none is.
        package let draftOf: String?
        /// The time for which the campaigns decide; nil for now.
        package let at: Instant?

        package init(
            customer: Whom,
            attributes: Attributes = .values(.none),
            placement: String? = nil,
            billingPlan: BillingPlan = .upfront,
            draftOf: String? = nil,
            at: Instant? = nil
        ) {
            self.customer = customer
            self.attributes = attributes
            self.placement = placement
            self.billingPlan = OfferOccasion.billingPlan(named: billingPlan, at: placement)
            self.draftOf = draftOf
            self.at = at
        }
    }

    /// The result of a trial.
    package struct Answer: Sendable {
        package let customer: TriedCustomer
        package let evaluation: CampaignEvaluation
        /// The billing plan of the question.
        package let billingPlan: BillingPlan?
        /// The ids of the paused campaigns, which are not tried.
        package let paused: [String]
    }

    private let campaigns: any CampaignStore
    private let exposures: any ExposureStore
    private let histories: any HistoryStore
    private let system: SystemEnvironment

    package init(
        campaigns: any CampaignStore,
        exposures: any ExposureStore,
        histories: any HistoryStore,
        system: SystemEnvironment
    ) {
        self.campaigns = campaigns
        self.exposures = exposures
        self.histories = histories
        self.system = system
    }

    /// Tries the campaigns.
    ///
    /// Throws a `CampaignError` if there is no such draft, or it cannot be read.
    ///
    /// - Parameter app: the app in the environment that the trial is about.
    package func answer(_ question: Question, of app: App) async throws -> Answer {
        let live = AppCampaigns(
            try await campaigns.live(bundleIDs: [app.bundleID]), [],
            ended: try await campaigns.ended(bundleIDs: [app.bundleID])[app.bundleID] ?? [], bundleID: app.bundleID,
            catalogue: app.catalogue)
        var compiled = live.compiled
        if let id = question.draftOf {
            let draft = CampaignRevision(try await draft(of: CampaignName(id, of: app.bundleID)), number: 0)
            let others = compiled.revisions.filter { ExactText($0.campaign.id) != ExactText(id) }
            compiled = CompiledCampaigns(others + [draft], segments: .none)
            if let refused = compiled.refused.first(where: { $0.revision.number == 0 }) {
                throw CampaignError.faulty(refused.findings)
            }
        }
        let customer = try await customer(question, of: app)
        let attributes =
            switch question.attributes {
            case .written(let options): AttributeOptions(options, for: compiled.revisions.map(\.campaign), []).attributes
            case .values(let values): values
            }
        var context = CampaignContext(
            facts: customer.facts, attributes: attributes, identity: customer.identity, placement: question.placement,
            holders: try await holders(of: customer, app, live),
            withheldOffers: customer.withheldOffers(on: question.billingPlan, of: app))
        context.scope = app.scope(customer.promotionalOffers)
        return Answer(
            customer: customer, evaluation: compiled.explain(context), billingPlan: question.billingPlan,
            paused: live.paused.filter { $0 != question.draftOf })
    }

    private func customer(_ question: Question, of app: App) async throws -> TriedCustomer {
        let view = TriedCustomer.View(now: question.at ?? system.now(), billingPlan: question.billingPlan ?? .upfront)
        return switch question.customer {
        case .anyID(let name): try await TriedCustomer(name, of: app, in: histories, view)
        case .named(let reference): try await TriedCustomer(reference, of: app, in: histories, view)
        }
    }

    /// The campaigns that hold the customer, by exclusion group.
    private func holders(of customer: TriedCustomer, _ app: App, _ live: AppCampaigns) async throws -> [ExactText: ExactText] {
        let identity = customer.identity
        let units = Set(BucketingUnit.allCases.compactMap { identity[$0] })
        var holders: [ExactText: ExactText] = [:]
        for hold in try await exposures.holds(onUnits: units, partition: app.partition) {
            guard identity[hold.unitKind].map(ExactText.init) == ExactText(hold.unit),
                live.isHolding(ExactText(hold.campaign), at: customer.facts.asOf)
            else { continue }
            holders[ExactText(hold.group)] = ExactText(hold.campaign)
        }
        return holders
    }

    private func draft(of name: CampaignName) async throws -> Campaign {
        guard let record = try await campaigns.campaign(id: name.id, bundleID: name.bundleID) else {
            throw CampaignError.unknownCampaign(name)
        }
        guard let draft = record.draft else { throw CampaignError.notNow(.submit, CampaignPosition(record)) }
        let text = CampaignText(draft.document)
        guard let campaign = text.campaign else {
            throw CampaignError.faulty(text.faults.map { .unreadable($0.name, "It \($0.reason).") })
        }
        return campaign
    }
}

/// The attributes that an app would send about a customer, as people write them.
package struct AttributeOptions {
    package let attributes: Attributes
    /// Remarks about the options, for the person who gave them.
    package let notes: [String]

    /// - Parameter options: each `name=value`. A value is read as the type with which campaigns and segments compare the
    ///   attribute.
    package init(_ options: [String], for campaigns: [Campaign], _ segments: [Segment]) {
        let tests = (campaigns.compactMap(\.audience) + (segments + campaigns.flatMap(\.segments)).map(\.condition))
            .flatMap(Self.tests)
        var values: [String: ConditionValue] = [:]
        var notes: [String] = []
        for option in options {
            let parts = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let (name, text) = (String(parts[0]), String(parts[1]))
            let asked = tests.filter { $0.subject == .attribute(name) }
            if asked.isEmpty { notes.append("no campaign asks for attribute \(name)") }
            // An existence test accepts a value of any type, and so does not determine one.
            values[name] = Self.value(text, asked.filter { $0.comparison != .exists }.flatMap { Self.scalars($0.operand) })
        }
        attributes = Attributes(values)
        self.notes = notes
    }

    private static func value(_ text: String, _ operands: [ConditionValue]) -> ConditionValue {
        for operand in operands {
            switch operand {
            case .number: if let number = Double(text), number.isFinite { return .number(number) }
            case .boolean: if let flag = Bool(text) { return .boolean(flag) }
            case .text, .list: break
            }
        }
        return .text(text)
    }

    private static func scalars(_ operand: ConditionValue) -> [ConditionValue] {
        if case .list(let values) = operand { values } else { [operand] }
    }

    private static func tests(_ condition: Condition) -> [ConditionTest] {
        switch condition {
        case .all(let parts), .any(let parts): parts.flatMap(tests)
        case .not(let part): tests(part)
        case .test(let test): [test]
        case .segment: []
        }
    }
}
