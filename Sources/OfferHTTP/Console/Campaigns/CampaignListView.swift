import EligibilityRules
import OfferService

/// The campaigns of an app, for the template `campaigns`.
struct CampaignListView: PageView {
    static let template = "campaigns"
    private static let pageSize = 50

    /// A field by which the list can be filtered, with the values to choose from.
    struct Filter: TemplateView {
        let id: String
        let label: String
        let any: String
        let choices: [FieldView.Choice]
    }

    let app: String
    let now: RichText
    /// The path of the list.
    let path: String
    let mayWrite: Bool
    /// The notice about the result of the reader's last action; nil if there was none.
    let done: NoticeView?
    /// Whether the app has campaigns, in whatever state.
    let hasAny: Bool
    let tabs: [TabView]
    /// The name of the tab that is shown; nil for the current campaigns.
    let state: String?
    /// The filters by tag, placement and owner.
    let filters: [Filter]
    /// The text that is searched for.
    let q: String
    let orders: [FieldView.Choice]
    /// The heading, which names the order of the list: `In order of priority`.
    let heading: String
    /// What comes first in that order; it may be empty.
    let hint: String
    let hasShown: Bool
    let campaigns: [CampaignRow]
    /// When the oldest of the figures that are shown was counted; nil if there are none.
    let counted: RichText?
    /// The links to the other pages of the list; nil if one page shows all campaigns.
    let pages: CampaignPagesView?
    /// The sentence that says why the list is empty, if it is.
    let noneText: String
    /// A link to the ended campaigns, such as `12 ended: show them`; nil if there are none, or if they are shown.
    let ended: LinkView?
    /// The number of current campaigns; nil if there are none to show.
    let allCount: String?
    /// The examples to start from.
    let examples: [LinkView]
    /// A sentence that names the people who can write a campaign; nil if the reader can.
    let whoWrites: String?
    /// A sentence about the offers of the catalogue, which the campaigns can give.
    let catalogueHint: String

    /// - Parameters:
    ///   - all: all campaigns of the app.
    ///   - search: the filter that determines which campaigns are shown.
    ///   - figures: the figures of the campaigns, by the campaigns' ids.
    ///   - writers: the people who can write a campaign; nil if the reader can.
    init(
        _ all: [CampaignOutline],
        _ search: CampaignSearch,
        _ figures: [String: CampaignFigures],
        _ visit: CampaignVisit,
        writers: String?,
        done: NoticeView?
    ) {
        let found = search.found(in: all, owner: visit.name)
        let shown = search.order.sorted(found.filter { search.tab.shows($0, at: visit.now) }, figures, at: visit.now)
        app = visit.app.bundleID
        now = visit.time.at(visit.now)
        path = visit.path
        mayWrite = writers == nil
        self.done = done
        hasAny = !all.isEmpty
        tabs = Self.tabs(found, search, visit)
        state = search.tab.name.nonEmpty
        filters = Self.filters(all, search, visit)
        q = search.text
        orders = CampaignOrder.allCases.map {
            FieldView.Choice(id: $0.rawValue, label: $0.label, isChosen: $0 == search.order)
        }
        heading = "In order of \(search.order.label.lowercased())"
        hint = search.order.hint
        let page = min(search.page, max(1, (shown.count + Self.pageSize - 1) / Self.pageSize))
        let rows = shown.dropFirst((page - 1) * Self.pageSize).prefix(Self.pageSize)
        let query = search.query(page: page)
        campaigns = rows.map { CampaignRow($0.campaign(at: visit.now), figures[$0.id], visit, search, query: query) }
        counted = rows.compactMap { figures[$0.id]?.asOf }.min().map { visit.time.at($0) }
        pages = Self.pages(of: shown.count, page, search, visit)
        hasShown = !campaigns.isEmpty
        noneText = Self.noneText(search)
        let over = found.count { CampaignTab.state(.ended).shows($0, at: visit.now) }
        ended =
            search.tab == .current && over > 0
            ? LinkView(
                href: visit.path + search.query(tab: .state(.ended)),
                label: "\(ConsoleTime.number(over)) ended: show \(over == 1 ? "it" : "them")")
            : nil
        let current = all.count { CampaignTab.current.shows($0, at: visit.now) }
        allCount = current > 0 ? ConsoleTime.number(current) : nil
        examples = CampaignExamples.all.map { LinkView(href: "\(visit.path)/new?example=\($0.0)", label: $0.1) }
        whoWrites = writers.map { "These can write one: \($0)." }
        catalogueHint = Self.catalogueHint(visit.app)
    }

    private static func tabs(_ found: [CampaignOutline], _ search: CampaignSearch, _ visit: CampaignVisit) -> [TabView] {
        CampaignTab.all.compactMap { tab in
            let count = found.count { tab.shows($0, at: visit.now) }
            guard count > 0 || tab == .current || tab == search.tab else { return nil }
            return TabView(
                href: visit.path + search.query(tab: tab), label: tab.label, count: ConsoleTime.number(count),
                isCurrent: tab == search.tab)
        }
    }

    private static func filters(_ all: [CampaignOutline], _ search: CampaignSearch, _ visit: CampaignVisit) -> [Filter] {
        func filter(
            _ id: String, _ label: String, _ any: String, _ values: [String], _ chosen: String, _ word: (String) -> String
        )
            -> Filter?
        {
            let choices = Set(values + (chosen.isEmpty ? [] : [chosen])).map {
                FieldView.Choice(id: $0, label: word($0), isChosen: $0 == chosen)
            }
            guard choices.count > 1 || !chosen.isEmpty || id == "tag" && !choices.isEmpty else { return nil }
            return Filter(id: id, label: label, any: any, choices: choices.sorted { ($0.label, $0.id) < ($1.label, $1.id) })
        }
        return [
            filter("tag", "Tag", "any", all.flatMap(\.tags), search.tag) { $0 },
            filter(
                "placement", "Where", "anywhere",
                all.filter(\.isReadable).map { $0.placement ?? CampaignSearch.anyPlacement }, search.placement
            ) { $0 == CampaignSearch.anyPlacement ? "no place of its own" : $0 },
            filter("owner", "Written by", "anyone", all.map(\.owner), search.owner, visit.name),
        ].compactMap(\.self)
    }

    private static func pages(
        of count: Int,
        _ page: Int,
        _ search: CampaignSearch,
        _ visit: CampaignVisit
    ) -> CampaignPagesView? {
        guard count > pageSize else { return nil }
        let (first, last) = ((page - 1) * pageSize + 1, min(page * pageSize, count))
        let link = { visit.path + search.query(page: $0) }
        return CampaignPagesView(
            range: "\(first) to \(last) of \(ConsoleTime.number(count))", previous: page > 1 ? link(page - 1) : nil,
            next: last < count ? link(page + 1) : nil)
    }

    private static func noneText(_ search: CampaignSearch) -> String {
        let isOneWord = !search.text.contains(where: \.isWhitespace)
        let contained = search.text.isEmpty ? "" : "contains \(isOneWord ? "" : "all words of ")“\(search.text)”"
        let met = [search.tag, search.placement, search.owner].allSatisfy(\.isEmpty) ? "" : "meets the filters"
        let wanted = [contained, met].filter { !$0.isEmpty }.joined(separator: " and ")
        switch search.tab {
        case .current: return wanted.isEmpty ? "No campaign is current." : "No current campaign \(wanted)."
        case .state, .archived:
            let state = search.tab.label.lowercased()
            return wanted.isEmpty ? "No campaign is \(state)." : "No campaign that \(wanted) is \(state)."
        }
    }

    private static func catalogueHint(_ app: App) -> String {
        let offers = Set(app.catalogue.sorted.flatMap(\.promotionalOfferIDs)).sorted()
        let products = ConsoleTime.count(app.catalogue.sorted.count, "product")
        let named = offers.isEmpty ? "" : ": \(offers.joined(separator: ", "))"
        return
            "\(app.bundleID) has \(products) and \(ConsoleTime.count(offers.count, "offer")) in its catalogue\(named). New offers are made in App Store Connect and added by your developer."
    }
}

/// Which page of a list is shown, and the links to the pages before and after it.
struct CampaignPagesView: TemplateView {
    /// `51 to 100 of 213`.
    let range: String
    let previous: String?
    let next: String?
}
