import EligibilityRules
import OfferService

/// A search in the list of campaigns, as the page's form and links send it.
struct CampaignSearch {
    /// The orders of the list.
    enum Order: String, CaseIterable {
        case priority, name, changed

        var label: String {
            switch self {
            case .priority: "Priority"
            case .name: "Name"
            case .changed: "Last change"
            }
        }
    }

    /// The fields that the query may have.
    static let fields = ["state", "q", "sort", "page", "tag", "placement", "owner"]
    /// The value for campaigns without a placement. They decide everywhere in the app.
    static let anyPlacement = "*"

    let tab: CampaignTab
    /// The text that the name, the id, a product or an offer of a campaign must contain; empty to find all.
    let text: String
    /// The tag that a campaign must have; empty for any.
    let tag: String
    /// The placement that a campaign must have; empty for any.
    let placement: String
    /// The id of the owner's access key; empty for any owner.
    let owner: String
    let order: Order
    /// The number of the page, from 1.
    let page: Int

    init(_ query: [String: String]) {
        tab = CampaignTab(query["state"])
        tag = query["tag"] ?? ""
        placement = query["placement"] ?? ""
        owner = query["owner"] ?? ""
        text = query["q"] ?? ""
        order = query["sort"].flatMap(Order.init) ?? .priority
        page = max(1, query["page"].flatMap(Int.init) ?? 1)
    }

    /// Returns the campaigns of every state that contain the text and meet the filters, in the order of the list.
    func found(in all: [ManagedCampaign]) -> [ManagedCampaign] {
        let wanted = text.lowercased()
        let met = all.filter(meets)
        let found = wanted.isEmpty ? met : met.filter { Self.words($0).contains { $0.lowercased().contains(wanted) } }
        switch order {
        case .priority:
            return found.map { (campaign: $0, priority: $0.text?.campaign?.slot.priority ?? 0) }
                .sorted { ($1.priority, $0.campaign.name.id) < ($0.priority, $1.campaign.name.id) }.map(\.campaign)
        case .name:
            return found.map { (campaign: $0, name: CampaignHead.name($0).lowercased()) }
                .sorted { ($0.name, $0.campaign.name.id) < ($1.name, $1.campaign.name.id) }.map(\.campaign)
        case .changed: return found.sorted { ($1.lastChange.act.at, $0.name.id) < ($0.lastChange.act.at, $1.name.id) }
        }
    }

    private func meets(_ campaign: ManagedCampaign) -> Bool {
        let text = campaign.text?.campaign
        return (tag.isEmpty || text?.tags.contains(tag) == true) && (owner.isEmpty || campaign.owner == owner)
            && (placement.isEmpty || text.map { $0.slot.placement ?? Self.anyPlacement } == placement)
    }

    /// Returns the query string of this search with another tab, page or tag: `?q=spring&page=2`, or an empty text.
    ///
    /// - Parameter done: the word for the result of the reader's last action; empty if there was none.
    func query(tab: CampaignTab? = nil, page: Int = 1, tag: String? = nil, done: String = "") -> String {
        let fields = [
            ("state", (tab ?? self.tab).name), ("q", text), ("tag", tag ?? self.tag), ("placement", placement), ("owner", owner),
            ("sort", order == .priority ? "" : order.rawValue),
            ("page", page == 1 ? "" : "\(page)"), ("done", done),
        ]
        let given = fields.filter { !$0.1.isEmpty }.map { "\($0.0)=\(PercentEncoding.encoded($0.1))" }
        return given.isEmpty ? "" : "?" + given.joined(separator: "&")
    }

    private static func words(_ campaign: ManagedCampaign) -> [String] {
        let texts = [campaign.published?.text, campaign.draft?.text].compactMap { $0?.campaign }
        let variants = texts.flatMap(\.design.variants)
        return [campaign.name.id, CampaignHead.name(campaign)] + texts.map(\.name)
            + variants.flatMap(\.offers).flatMap { [$0.productID, $0.offerID] }
            + variants.flatMap { [$0.introductoryOffer?.productID, $0.switchTo?.productID, $0.link].compactMap(\.self) }
    }
}
