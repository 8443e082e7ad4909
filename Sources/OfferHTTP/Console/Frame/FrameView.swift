import OfferService

/// The frame around a page: the side bar, and the reader.
struct FrameView: PageView {
    static let template = "layout"

    let title: String
    /// The HTML of the page.
    let content: String
    /// The name and the role of the reader.
    let who: String
    let role: String
    let timeZone: String

    /// The app that the page is about; nil if the reader may see only one.
    let scope: OfferLinks.Scope?
    /// The path that the pages about an app begin with.
    let offersPath: String

    let seesCampaigns: Bool
    let seesCatalogue: Bool
    let seesKeys: Bool
    let seesAccess: Bool
    let seesAudit: Bool
    let seesEvents: Bool
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
        hasSecurity = seesKeys || seesAccess || seesAudit || seesEvents
        atOverview = place == .overview
        atCampaigns = place == .campaigns
        atSegments = place == .segments
        atTrial = place == .trial
        atCatalogue = place == .catalogue
        atKeys = place == .keys
        atAccess = place == .access
        atAudit = place == .audit
        atEvents = place == .events
        atSessions = place == .sessions
    }
}
