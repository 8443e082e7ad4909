import EligibilityRules
import OfferService

/// A search in the list of campaigns, as the page's form and links send it.
struct CampaignSearch {
    /// The fields that the query may have.
    static let fields = ["state", "q", "sort", "page", "tag", "placement", "owner"]
    /// The value for campaigns without a placement. They decide everywhere in the app.
    static let anyPlacement = "*"

    let tab: CampaignTab
    /// The words that a campaign must contain, in any order; empty to find all.
    let text: String
    /// The tag that a campaign must have; empty for any.
    let tag: String
    /// The placement that a campaign must have; empty for any.
    let placement: String
    /// The id of the owner's access key; empty for any owner.
    let owner: String
    let order: CampaignOrder
    /// The number of the page, from 1.
    let page: Int

    init(_ query: [String: String]) {
        tab = CampaignTab(query["state"])
        tag = query["tag"] ?? ""
        placement = query["placement"] ?? ""
        owner = query["owner"] ?? ""
        text = query["q"] ?? ""
        order = query["sort"].flatMap(CampaignOrder.init) ?? .priority
        page = max(1, query["page"].flatMap(Int.init) ?? 1)
    }

    /// Returns the campaigns of every state that contain all words of the text and meet the filters.
    ///
    /// - Parameter name: returns the name of a campaign's owner for people.
    func found(in all: [CampaignOutline], owner name: (String) -> String) -> [CampaignOutline] {
        let words = Set(text.lowercased().split(whereSeparator: \.isWhitespace).map(String.init)).map(SearchWord.init)
        var owners: [String: String] = [:]
        return all.filter { campaign in
            guard meets(campaign) else { return false }
            return words.allSatisfy { word in
                guard !word.isIn(campaign.words) else { return true }
                if owners[campaign.owner] == nil { owners[campaign.owner] = name(campaign.owner).lowercased() }
                return word.isIn(owners[campaign.owner]!)
            }
        }
    }

    private func meets(_ campaign: CampaignOutline) -> Bool {
        (tag.isEmpty || campaign.tags.contains(tag)) && (owner.isEmpty || campaign.owner == owner)
            && (placement.isEmpty || campaign.isReadable && (campaign.placement ?? Self.anyPlacement) == placement)
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
}

/// A word that is searched for, in lower case.
struct SearchWord {
    private let word: String
    private let bytes: [UInt8]

    init(_ word: String) {
        self.word = word
        bytes = Array(word.utf8)
    }

    /// Whether a text in lower case contains the word.
    func isIn(_ text: String) -> Bool {
        // The comparison of bytes takes a twentieth of the time. It is right for ASCII, which has one spelling in Unicode.
        guard bytes.allSatisfy({ $0 < 0x80 }), let isFound = text.utf8.withContiguousStorageIfAvailable(isIn) else {
            return text.contains(word)
        }
        return isFound
    }

    private func isIn(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = bytes.first else { return true }
        guard text.count >= bytes.count else { return false }
        return (0...(text.count - bytes.count)).contains { start in
            text[start] == first && text[start..<start + bytes.count].elementsEqual(bytes)
        }
    }
}
