import OfferStore

/// The purchase histories that decide about a request's items; one that decides about several is looked up once.
struct RequestHistories: Sendable {
    /// What is to be looked up.
    private(set) var queries: [HistoryQuery] = []
    /// What was found, in the order of the queries; nil until then.
    private var found: [StoredHistory?] = []
    /// For each item its place in both; nil where nothing depends on a history, or the request names nobody.
    private var places: [Int?] = []

    /// - Parameter isWhole: whether campaigns look at more than what decides about offers.
    init(of request: SignatureRequest, in bundleID: String, isWhole: Bool) {
        places.reserveCapacity(request.items.count)
        var promotional: Int??
        for item in request.items {
            switch item.purpose {
            case .promotionalOffer, .campaignOffer:
                // They all ask about the same customer.
                let place = promotional ?? place(of: request.historyQuery(for: item, bundleID: bundleID, isWhole: isWhole))
                promotional = .some(place)
                places.append(place)
            case .introductoryOffer(_, .some): places.append(nil)
            case .introductoryOffer:
                places.append(place(of: request.historyQuery(for: item, bundleID: bundleID, isWhole: isWhole)))
            }
        }
        found = Array(repeating: nil, count: queries.count)
    }

    private mutating func place(of query: HistoryQuery?) -> Int? {
        guard let query else { return nil }
        if queries.last != query { queries.append(query) }
        return queries.count - 1
    }

    /// Puts what was found in its place.
    mutating func take(_ history: StoredHistory, at place: Int) { found[place] = history }

    /// The history that decides about an item; nil where there is none.
    func history(ofItem index: Int) -> StoredHistory? { places[index].flatMap { found[$0] } }
}
