import OfferStore

/// The purchase histories that decide about the items of a request.
///
/// If a history decides about several items, it is looked up only once.
struct RequestHistories: Sendable {
    /// The histories to be looked up.
    private(set) var queries: [HistoryQuery] = []
    /// The histories that were found, in the order of `queries`. Each is nil until it was found.
    private var found: [StoredHistory?] = []
    /// For each item, the place of its history in `queries` and `found`. It is nil if the item depends on no history, or if the
    /// request names no customer.
    private var places: [Int?] = []

    /// The histories of a request that needs none.
    init() {}

    /// - Parameters:
    ///   - shown: what the request's signed transactions have shown.
    ///   - isWhole: whether campaigns need more of the histories than the part that decides about offers.
    init(of request: SignatureRequest, _ shown: ShownPurchase?, in partition: AppPartition, for caller: Caller, isWhole: Bool) {
        places.reserveCapacity(request.items.count)
        var promotional: Int??
        for item in request.items {
            if case .introductoryOffer(_, .given) = item.purpose {
                places.append(nil)
                continue
            }
            let isPromotional = !item.purpose.isIntroductory
            // All promotional offers of a request are for the same customer.
            if isPromotional, let promotional {
                places.append(promotional)
                continue
            }
            let customer = request.customer(ofItem: item, for: caller)
            let place = place(of: customer.query(in: partition, isWhole: isWhole, shown))
            if isPromotional { promotional = .some(place) }
            places.append(place)
        }
        found = Array(repeating: nil, count: queries.count)
    }

    private mutating func place(of query: HistoryQuery?) -> Int? {
        guard let query else { return nil }
        if queries.last != query { queries.append(query) }
        return queries.count - 1
    }

    /// Puts a history that was found at its place.
    mutating func take(_ history: StoredHistory, at place: Int) { found[place] = history }

    /// The history that decides about an item; nil if there is none.
    func history(ofItem index: Int) -> StoredHistory? { places[index].flatMap { found[$0] } }
}
