import EligibilityRules
import OfferService

/// A look at campaigns of one app: by whom, and as of when.
struct CampaignVisit {
    let app: App
    let visitor: ConsoleVisitor
    let time: ConsoleTime
    /// Where the reader is.
    let zone: TimeZoneRules
    /// What people know the holders of access keys by.
    let names: [String: String]

    var caller: Caller { visitor.caller }
    var now: Instant { time.now }

    /// Of the list.
    var path: String { "/console/apps/\(PercentEncoding.encoded(app.bundleID))/campaigns" }

    /// Of a page about one campaign.
    func path(_ id: String, _ part: String) -> String { "\(path)/\(PercentEncoding.encoded(id))/\(part)" }

    /// Whether the reader may do something.
    func may(_ permission: Permission) -> Bool { caller.role.may(permission) }

    /// Who did something, as people know them.
    func name(_ id: String) -> String { names[id] ?? id }

    /// That somebody did something: `marketing-1, 21 Nov, 11:06 UTC`; HTML.
    func told(_ act: ManagedCampaign.Act) -> String { "\(ByteEscaping().escapeText(name(act.by))), \(time.at(act.at))" }

    /// A point in time that people plan with: local time first; HTML.
    func planned(_ instant: Instant) -> String {
        guard zone != .utc else { return "<b>\(time.at(instant))</b>" }
        let local = instant.advanced(by: zone.offset(at: instant.milliseconds / 1000) * 1000)
        let there = time.plain(local)
        return "<b class=\"nowrap\">\(there)</b> \(ByteEscaping().escapeText(zone.label)) (\(time.at(instant)))"
    }
}
