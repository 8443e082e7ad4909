import EligibilityRules
import FoundationEssentials
import OfferService

/// A visit to the campaigns of one app: its visitor and its time.
struct CampaignVisit {
    let app: App
    let visitor: ConsoleVisitor
    let time: ConsoleTime
    /// The reader's time zone.
    let zone: TimeZone
    /// The names of access keys for people, by id.
    let names: [String: String]

    var caller: Caller { visitor.caller }
    var now: Instant { time.now }

    /// The path of the list.
    var path: String { "/console/apps/\(PercentEncoding.encoded(app.bundleID))/campaigns" }

    /// Returns the path of a page about one campaign.
    func path(_ id: String, _ part: String) -> String { "\(path)/\(PercentEncoding.encoded(id))/\(part)" }

    /// Returns the address of a new campaign from another one; nil if the reader may not write.
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

    /// Returns the actor and time of a change: `marketing-1, 21 Nov, 11:06 UTC`.
    func attribution(_ act: CampaignAct) -> RichText { "\(name(act.by)), \(time.at(act.at))" }

    /// Returns a planned point in time, local time first.
    func planned(_ instant: Instant) -> RichText {
        guard zone != .gmt else { return "\(strong: time.at(instant))" }
        return "\(whole: time.plain(zone.shown(at: instant))) \(zone.label) (\(time.at(instant)))"
    }
}
