import OfferService

/// The keys of one app.
struct KeyAppView: TemplateView {
    /// A key that signs nothing any more.
    struct Revoked: TemplateView {
        let id: String
        let decided: KeyDecisionView?
        /// Whether it is revoked in every app.
        let isOver: Bool
    }

    /// The states of the keys that have a card, in the order of the cards.
    private static let order = ["active", "staged", "retiring", "retired"]

    let app: String
    let environment: String
    /// The id of the heading.
    let anchor: String
    let now: RichText
    let lane: [KeyLaneView]
    let twoPersons: Bool
    let keys: [KeyCardView]
    let hasRevoked: Bool
    let revokedCount: String
    let revoked: [Revoked]

    /// Creates the view of an app.
    ///
    /// - Parameters:
    ///   - app: nil if it is not configured any more.
    ///   - index: its place on the page.
    init(_ bundleID: String, _ app: App?, index: Int, in listing: KeyListing) {
        let statuses = listing.statuses.filter { $0.bundleID == bundleID }
        self.app = bundleID
        environment = app?.environmentName ?? ""
        anchor = "app-\(index)"
        now = listing.time.at(listing.time.now)
        lane = KeyLaneView.all(statuses, listing.time)
        twoPersons = app?.rules.needsTwoPersons ?? false
        let hasEarlier = statuses.contains { $0.stateName == "retiring" || $0.stateName == "retired" }
        keys = Self.shown(statuses).enumerated().map { number, status in
            KeyCardView(status, in: listing, anchor: "key-\(index)-\(number)", hasEarlier: hasEarlier)
        }
        revoked = statuses.filter { $0.stateName == "revoked" }.map { status in
            Revoked(
                id: status.keyID, decided: KeyDecisionView(status, in: listing),
                isOver: listing.keys.isRevokedEverywhere(status.keyID))
        }
        hasRevoked = !revoked.isEmpty
        revokedCount = ConsoleTime.count(revoked.count, "revoked key")
    }

    private static func shown(_ statuses: [KeyDesk.KeyStatus]) -> [KeyDesk.KeyStatus] {
        func place(_ status: KeyDesk.KeyStatus) -> Int { order.firstIndex(of: status.stateName) ?? order.count }
        return statuses.filter { $0.stateName != "revoked" }.sorted { (place($0), $0.keyID) < (place($1), $1.keyID) }
    }
}
