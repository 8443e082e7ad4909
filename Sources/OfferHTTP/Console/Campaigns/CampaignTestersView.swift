import EligibilityRules
import OfferService

/// The testers of a campaign, the form to add a tester, and the variants that they got.
struct CampaignTestersView: PageView {
    static let template = "campaign-testers"

    /// A tester in the list.
    struct Row: TemplateView {
        /// The position in the list, from 0, by which the tester is removed.
        let place: Int
        let id: String
        let kind: String
        let variant: String
        let note: String
        /// Whether the campaign no longer has the variant that the tester is to get.
        let isGone: Bool
        let mayRemove: Bool
    }

    /// How often testers got one variant.
    struct Count: TemplateView {
        let variant: String
        let exposed: String
        let signed: String
    }

    let head: CampaignHead
    let hasErrors: Bool
    let errors: [ErrorView]
    let count: String
    /// Whether the app is for Production only. The service then refuses the sandbox purchases that testers make.
    let isProductionOnly: Bool
    let hasTesters: Bool
    let action: String
    let seen: String
    let testers: [Row]
    let isEnded: Bool
    /// The people who can change the list; nil if the reader can.
    let whoAdds: String?
    let mayAdd: Bool
    let kinds: [FieldView.Choice]
    let tester: String
    let testerError: String?
    let variants: [FieldView.Choice]
    let variantError: String?
    let note: String
    let noteError: String?
    let hasCounts: Bool
    let counts: [Count]

    init(
        _ campaign: ManagedCampaign,
        _ input: TesterInput,
        _ faults: [FieldFault],
        counts: [RehearsalCount],
        whoAdds: String?,
        done: NoticeView?,
        _ visit: CampaignVisit
    ) {
        let text = campaign.text?.campaign
        let variants = text?.design.variants.map(\.id) ?? []
        let errors = faults.map { input.error($0, of: campaign) }
        let error = { (id: String) -> String? in errors.first { $0.id == id }?.text }
        let policy = visit.app.policy
        head = CampaignHead(campaign, at: .testers, visit, done: done)
        hasErrors = !errors.isEmpty
        self.errors = errors
        count = ConsoleTime.count(campaign.testers.count, "tester")
        isProductionOnly = policy.environment == .production && visit.app.sandbox == nil && visit.app.xcode == nil
        hasTesters = !campaign.testers.isEmpty
        action = visit.path(campaign.name.id, "testers")
        seen = "\(campaign.version)"
        testers = campaign.testers.enumerated().map { place, tester in
            Row(
                place: place, id: tester.id, kind: Self.word(tester.kind), variant: text.label(ofVariant: tester.variant),
                note: tester.note,
                isGone: !variants.contains(tester.variant), mayRemove: visit.may(.campaignDrafts))
        }
        isEnded = campaign.position.isEnded
        self.whoAdds = whoAdds
        mayAdd = visit.may(.campaignDrafts) && !campaign.position.isEnded
        kinds = BucketingUnit.allCases.map {
            FieldView.Choice(id: $0.rawValue, label: Self.word($0), isChosen: $0 == input.kind)
        }
        tester = input.id
        testerError = error("tester")
        self.variants = variants.map { FieldView.Choice(id: $0, label: text.label(ofVariant: $0), isChosen: $0 == input.variant) }
        variantError = error("variant")
        note = input.note
        noteError = error("note")
        hasCounts = !counts.isEmpty
        self.counts = counts.map {
            Count(
                variant: text.label(ofVariant: $0.variant), exposed: ConsoleTime.number($0.exposed),
                signed: ConsoleTime.number($0.signed))
        }
    }

    private static func word(_ kind: BucketingUnit) -> String {
        switch kind {
        case .customer: "Customer id of the app"
        case .appTransaction: "App transaction id"
        case .originalTransaction: "Original transaction id"
        }
    }
}
