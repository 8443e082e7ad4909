import OfferService

/// The frame around a page: the side bar, and who is signed in.
struct FrameView: PageView {
    static let template = "layout"

    let title: String
    /// The HTML of the page.
    let content: String
    /// The name of the reader.
    let who: String
    let role: String
    let timeZone: String

    /// The choice of the app; nil if the page is about no single app, or if the reader may see only one app.
    let scope: OfferLinks.Scope?
    /// The path with which the addresses of the pages about the app begin.
    let offersPath: String

    let seesCampaigns: Bool
    let seesCatalogue: Bool
    let seesKeys: Bool
    let seesAccess: Bool
    let seesAudit: Bool
    let seesEvents: Bool
    let seesVerify: Bool
    let hasSecurity: Bool

    let atOverview: Bool
    let atCampaigns: Bool
    let atSegments: Bool
    let atTrial: Bool
    let atCatalogue: Bool
    let atKeys: Bool
    let atAccess: Bool
    let atAudit: Bool
    let atEvents: Bool
    let atVerify: Bool
    let atSessions: Bool

    init(title: String, content: String, at place: ConsolePages.Place, of offers: OfferLinks, for caller: Caller) {
        self.title = title
        self.content = content
        who = caller.note.isEmpty ? "osk_\(caller.id)" : caller.note
        role = caller.role.rawValue
        timeZone = caller.timeZone
        scope = offers.scope
        offersPath = offers.path
        seesCampaigns = caller.role.may(.campaigns)
        seesCatalogue = caller.role.may(.catalogue)
        seesKeys = caller.role.may(.keys)
        seesAccess = caller.role.may(.access)
        seesAudit = caller.role.may(.audit)
        seesEvents = caller.role.may(.events)
        seesVerify = caller.role.may(.verify)
        hasSecurity = seesKeys || seesAccess || seesAudit || seesEvents || seesVerify
        atOverview = place == .overview
        atCampaigns = place == .campaigns
        atSegments = place == .segments
        atTrial = place == .trial
        atCatalogue = place == .catalogue
        atKeys = place == .keys
        atAccess = place == .access
        atAudit = place == .audit
        atEvents = place == .events
        atVerify = place == .verify
        atSessions = place == .sessions
    }
}

/// The side bar's links to the pages about one app: the app that the page is about, or the only one that the reader may see.
struct OfferLinks {
    /// The app that the page is about, and the other apps to choose from.
    struct Scope: TemplateView {
        let app: String
        let others: [LinkView]
    }

    /// The path with which the addresses of the pages about the app begin; `/console` if no app is chosen.
    let path: String
    let scope: Scope?

    /// - Parameters:
    ///   - place: the place to which the links to other apps lead.
    ///   - app: the app that the page is about; nil if it is about no single app.
    ///   - mine: the apps that the reader may see.
    init(at place: ConsolePages.Place, in app: String?, mine: [String]) {
        let path = { (app: String) in "/console/apps/\(PercentEncoding.encoded(app))" }
        self.path = (app ?? (mine.count == 1 ? mine[0] : nil)).map(path) ?? "/console"
        guard let app, mine.count > 1 else {
            scope = nil
            return
        }
        scope = Scope(
            app: app,
            others: mine.filter { $0 != app }.map { LinkView(href: "\(path($0))/\(place.rawValue)", label: $0) })
    }
}
