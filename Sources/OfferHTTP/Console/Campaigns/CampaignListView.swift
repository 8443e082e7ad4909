import EligibilityRules
import OfferService

/// The campaigns of an app in order of priority, for the template `campaigns`.
struct CampaignListView: PageView {
    static let template = "campaigns"

    let app: String
    let now: RichText
    /// The path of the list.
    let path: String
    let mayWrite: Bool
    /// What became of the reader's last action.
    let done: NoticeView?
    /// Whether the app has campaigns, in whatever state.
    let hasAny: Bool
    /// The states to filter by.
    let tabs: [TabView]
    let hasShown: Bool
    let campaigns: [CampaignRow]
    /// The state that is shown, in words.
    let stateWord: String
    /// The number of campaigns in all states.
    let allCount: String
    /// The examples to start from.
    let examples: [LinkView]
    /// Who can write a campaign; nil if the reader can.
    let whoWrites: String?
    /// What the campaigns can offer.
    let catalogueHint: String

    /// Creates the view of a list.
    ///
    /// - Parameters:
    ///   - state: the state to show; nil: all.
    ///   - writers: the people who can write a campaign; nil if the reader can.
    init(_ all: [ManagedCampaign], in state: CampaignState?, _ visit: CampaignVisit, writers: String?, done: NoticeView?) {
        let sorted = all.map { (campaign: $0, priority: $0.text?.campaign?.priority ?? 0) }
            .sorted { ($1.priority, $0.campaign.name.id) < ($0.priority, $1.campaign.name.id) }.map(\.campaign)
        app = visit.app.bundleID
        now = visit.time.at(visit.now)
        path = visit.path
        mayWrite = writers == nil
        self.done = done
        hasAny = !all.isEmpty
        tabs = Self.tabs(all, state, visit)
        campaigns = sorted.filter { state == nil || $0.state == state }.map { CampaignRow($0, visit) }
        hasShown = !campaigns.isEmpty
        stateWord = state.map { CampaignBadge.word($0).lowercased() } ?? ""
        allCount = ConsoleTime.number(all.count)
        examples = CampaignExamples.all.map { LinkView(href: "\(visit.path)/new?example=\($0.0)", label: $0.1) }
        whoWrites = writers.map { "These can write one: \($0)." }
        catalogueHint = Self.hint(visit.app)
    }

    private static func tabs(_ all: [ManagedCampaign], _ state: CampaignState?, _ visit: CampaignVisit) -> [TabView] {
        let states = CampaignState.allCases.map { each in (each, all.count { $0.state == each }) }.filter {
            $0.1 > 0 || $0.0 == state
        }
        return [TabView(href: visit.path, label: "All", count: ConsoleTime.number(all.count), isCurrent: state == nil)]
            + states.map { each, count in
                TabView(
                    href: "\(visit.path)?state=\(each.rawValue)", label: CampaignBadge.word(each),
                    count: ConsoleTime.number(count), isCurrent: each == state)
            }
    }

    private static func hint(_ app: App) -> String {
        let offers = Set(app.catalogue.sorted.flatMap(\.promotionalOfferIDs)).sorted()
        let products = ConsoleTime.count(app.catalogue.sorted.count, "product")
        let named = offers.isEmpty ? "" : ": \(offers.joined(separator: ", "))"
        return
            "\(app.bundleID) has \(products) and \(ConsoleTime.count(offers.count, "offer")) in its catalogue\(named). New offers are made in App Store Connect and added by your developer."
    }
}
