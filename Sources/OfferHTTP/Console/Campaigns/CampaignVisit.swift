import EligibilityRules
import FoundationEssentials
import OfferService

/// The request for a page about an app's campaigns: the app, the reader, and the time.
struct CampaignVisit {
    let app: App
    let visitor: ConsoleVisitor
    let time: ConsoleTime
    /// The reader's time zone.
    let zone: TimeZone
    /// The names of actors for people, by the actors' ids.
    let names: [String: String]

    var caller: Caller { visitor.caller }
    var now: Instant { time.now }

    /// The path of the list of campaigns.
    var path: String { "/console/apps/\(PercentEncoding.encoded(app.bundleID))/campaigns" }

    /// Returns the path of a page about one campaign.
    ///
    /// `part` is its last part, such as `review`.
    func path(_ id: String, _ part: String) -> String { "\(path)/\(PercentEncoding.encoded(id))/\(part)" }

    /// Returns the address at which a new campaign starts as a copy of this one; nil if the reader may not write campaigns.
    func copy(of campaign: ManagedCampaign) -> String? {
        may(.campaignDrafts) ? "\(path)/new?copy=\(PercentEncoding.encoded(campaign.name.id))" : nil
    }

    /// The path of the list of segments.
    var segmentsPath: String { "/console/apps/\(PercentEncoding.encoded(app.bundleID))/segments" }

    /// Returns the path of the page about one segment.
    func segmentPath(_ id: String) -> String { "\(segmentsPath)/\(PercentEncoding.encoded(id))" }

    /// Whether the reader has a permission.
    func may(_ permission: Permission) -> Bool { caller.role.may(permission) }

    /// Returns the name of an actor for people.
    func name(_ id: String) -> String { names[id] ?? id }

    /// Returns the actor and the time of a step: `marketing-1, 21 Nov, 11:06 UTC`.
    func attribution(_ act: CampaignAct) -> RichText { "\(name(act.by)), \(time.at(act.at))" }

    /// Returns a planned point in time: first in the reader's time zone, and then in UTC.
    func planned(_ instant: Instant) -> RichText {
        guard zone != .gmt else { return "\(strong: time.at(instant))" }
        return "\(whole: time.plain(zone.shown(at: instant))) \(zone.label) (\(time.at(instant)))"
    }
}
