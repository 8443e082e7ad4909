import EligibilityRules
import OfferService

/// The campaigns of an app, for the template `campaigns`.
struct CampaignListView: PageView {
    static let template = "campaigns"
    private static let pageSize = 50

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
    /// The state that is shown; nil: all.
    let state: String?
    /// The text that is searched for.
    let q: String
    let orders: [FieldView.Choice]
    /// `In order of priority`.
    let heading: String
    let isByPriority: Bool
    let hasShown: Bool
    let campaigns: [CampaignRow]
    /// Nil if one page shows all.
    let pages: CampaignPagesView?
    /// Why no campaign is shown.
    let noneText: String
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
    ///   - search: which of them to show.
    ///   - figures: how they are doing, by id.
    ///   - writers: the people who can write a campaign; nil if the reader can.
    init(
        _ all: [ManagedCampaign],
        _ search: CampaignSearch,
        _ figures: [String: CampaignFigures],
        _ visit: CampaignVisit,
        writers: String?,
        done: NoticeView?
    ) {
        let found = search.found(in: all)
        let shown = found.filter { search.state == nil || $0.state == search.state }
        app = visit.app.bundleID
        now = visit.time.at(visit.now)
        path = visit.path
        mayWrite = writers == nil
        self.done = done
        hasAny = !all.isEmpty
        tabs = Self.tabs(found, search, visit)
        state = search.state?.rawValue
        q = search.text
        orders = CampaignSearch.Order.allCases.map {
            FieldView.Choice(id: $0.rawValue, label: $0.label, isChosen: $0 == search.order)
        }
        heading = "In order of \(search.order.label.lowercased())"
        isByPriority = search.order == .priority
        let page = min(search.page, max(1, (shown.count + Self.pageSize - 1) / Self.pageSize))
        campaigns = shown.dropFirst((page - 1) * Self.pageSize).prefix(Self.pageSize).map {
            CampaignRow($0, figures[$0.name.id], visit, query: search.query(state: search.state, page: page))
        }
        pages = Self.pages(of: shown.count, page, search, visit)
        hasShown = !campaigns.isEmpty
        noneText = Self.noneText(search)
        allCount = ConsoleTime.number(all.count)
        examples = CampaignExamples.all.map { LinkView(href: "\(visit.path)/new?example=\($0.0)", label: $0.1) }
        whoWrites = writers.map { "These can write one: \($0)." }
        catalogueHint = Self.hint(visit.app)
    }

    private static func tabs(_ found: [ManagedCampaign], _ search: CampaignSearch, _ visit: CampaignVisit) -> [TabView] {
        let states = CampaignState.allCases.map { each in (each, found.count { $0.state == each }) }.filter {
            $0.1 > 0 || $0.0 == search.state
        }
        let all = TabView(
            href: visit.path + search.query(state: nil), label: "All", count: ConsoleTime.number(found.count),
            isCurrent: search.state == nil)
        return [all]
            + states.map { each, count in
                TabView(
                    href: visit.path + search.query(state: each), label: CampaignBadge.word(each),
                    count: ConsoleTime.number(count), isCurrent: each == search.state)
            }
    }

    private static func pages(
        of count: Int,
        _ page: Int,
        _ search: CampaignSearch,
        _ visit: CampaignVisit
    ) -> CampaignPagesView? {
        guard count > pageSize else { return nil }
        let (first, last) = ((page - 1) * pageSize + 1, min(page * pageSize, count))
        let link = { visit.path + search.query(state: search.state, page: $0) }
        return CampaignPagesView(
            range: "\(first) to \(last) of \(ConsoleTime.number(count))", previous: page > 1 ? link(page - 1) : nil,
            next: last < count ? link(page + 1) : nil)
    }

    private static func noneText(_ search: CampaignSearch) -> String {
        let contained = "“\(search.text)”"
        guard let state = search.state.map({ CampaignBadge.word($0).lowercased() }) else {
            return "No campaign contains \(contained)."
        }
        return search.text.isEmpty ? "No campaign is \(state)." : "No campaign that contains \(contained) is \(state)."
    }

    private static func hint(_ app: App) -> String {
        let offers = Set(app.catalogue.sorted.flatMap(\.promotionalOfferIDs)).sorted()
        let products = ConsoleTime.count(app.catalogue.sorted.count, "product")
        let named = offers.isEmpty ? "" : ": \(offers.joined(separator: ", "))"
        return
            "\(app.bundleID) has \(products) and \(ConsoleTime.count(offers.count, "offer")) in its catalogue\(named). New offers are made in App Store Connect and added by your developer."
    }
}
