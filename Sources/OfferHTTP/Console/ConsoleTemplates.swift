import Mustache

/// The pages of the console, compiled.
struct ConsoleTemplates: Sendable {
    /// Named as its file is.
    enum Name: String, CaseIterable {
        case layout, alone, problem, overview, keys, access, audit, sessions, campaigns, catalogue, `try`
        // Parts of several pages.
        case field, select, audience, checklist, reach
        case signIn = "sign-in"
        case keyChange = "key-change"
        case accessRevoke = "access-revoke"
        case campaignHead = "campaign-head"
        case campaignEdit = "campaign-edit"
        case campaignReview = "campaign-review"
        case campaignResults = "campaign-results"
        case campaignHistory = "campaign-history"
        case campaignConfirm = "campaign-confirm"
        case campaignTesters = "campaign-testers"
        case readBack = "read-back"
        case chooseApp = "choose-app"

        fileprivate var source: [UInt8] {
            switch self {
            case .layout: PackageResources.layout_mustache
            case .alone: PackageResources.alone_mustache
            case .problem: PackageResources.problem_mustache
            case .overview: PackageResources.overview_mustache
            case .keys: PackageResources.keys_mustache
            case .access: PackageResources.access_mustache
            case .audit: PackageResources.audit_mustache
            case .sessions: PackageResources.sessions_mustache
            case .signIn: PackageResources.sign_in_mustache
            case .keyChange: PackageResources.key_change_mustache
            case .accessRevoke: PackageResources.access_revoke_mustache
            case .campaigns: PackageResources.campaigns_mustache
            case .campaignHead: PackageResources.campaign_head_mustache
            case .campaignEdit: PackageResources.campaign_edit_mustache
            case .campaignReview: PackageResources.campaign_review_mustache
            case .campaignResults: PackageResources.campaign_results_mustache
            case .campaignHistory: PackageResources.campaign_history_mustache
            case .campaignConfirm: PackageResources.campaign_confirm_mustache
            case .campaignTesters: PackageResources.campaign_testers_mustache
            case .audience: PackageResources.audience_mustache
            case .field: PackageResources.field_mustache
            case .select: PackageResources.select_mustache
            case .readBack: PackageResources.read_back_mustache
            case .reach: PackageResources.reach_mustache
            case .checklist: PackageResources.checklist_mustache
            case .chooseApp: PackageResources.choose_app_mustache
            case .catalogue: PackageResources.catalogue_mustache
            case .try: PackageResources.try_mustache
            }
        }
    }

    private let library: MustacheLibrary

    /// Throws what is wrong with a template.
    init() throws {
        MustacheContentTypes.register(ByteEscaping(), named: ByteEscaping.name)
        var library = MustacheLibrary()
        for name in Name.allCases {
            let text = String(decoding: name.source, as: UTF8.self)
            try library.register("{{% CONTENT_TYPE: \(ByteEscaping.name)}}\n" + text, named: name.rawValue)
        }
        self.library = library
    }

    /// The text of a page. What is put in comes out escaped, but for what a template says is HTML already.
    func text(_ name: Name, _ values: [String: Any]) -> String { library.render(values, withTemplate: name.rawValue) ?? "" }
}
