import EligibilityRules
import OfferService
import WireText

/// The fields of a campaign's form that cannot be changed while it runs.
struct CampaignLocks {
    /// The fields that may be locked, as paths in a campaign.
    private static let paths = [
        "placement", "schedule.from", "exclusionGroup", "unit", "holdout", "audience", "variants", "goal", "analysis",
    ]
    private static let reasons = [
        "placement": "Locked: customers were counted at its placement.",
        "schedule.from": "Locked: it has begun. Its end may still change.",
        "exclusionGroup": "Locked: its group keeps its customers out of the other campaigns of the group.",
        "unit": "Locked: another unit would move customers to other variants.",
        "holdout": "Locked: another share would move customers out of the hold-out, or into it.",
        "audience":
            "Locked while the campaign runs: its result is about this audience. End it and start a copy for other customers.",
        "variants":
            "Locked while the campaign runs: other variants or weights move customers who have seen one already. End it and start a copy to change them.",
        "analysis": "Locked: the time to read the result is set before the first customer.",
        "goal": "Locked: a goal that is chosen after looking at the result proves nothing.",
    ]

    /// The campaign as it runs; nil: it does not run.
    private let running: JSONValue?
    private(set) var paths: [String]

    /// No field is locked.
    static let none = CampaignLocks(running: nil, paths: [])

    private init(running: JSONValue?, paths: [String]) {
        self.running = running
        self.paths = paths
    }

    /// Locks the fields of a form that match the running campaign. A field that differs can still be corrected.
    init(_ campaign: ManagedCampaign?, _ json: JSONValue, at now: Instant) {
        guard let campaign, campaign.position.isRunning,
            let published = campaign.published?.text.campaign, !published.schedule.isAhead(at: now)
        else {
            self = .none
            return
        }
        let running = published.json
        let own = CampaignText(json: json).campaign?.json ?? json
        self.init(running: running, paths: Self.paths.filter { Self.value($0, of: running) == Self.value($0, of: own) })
    }

    /// Returns why a field is locked; empty if it is not.
    subscript(path: String) -> String { paths.contains(path) ? Self.reasons[path] ?? "" : "" }

    /// Returns the submitted campaign with locked fields as they run, because browsers do not send those.
    ///
    /// - Parameter paths: the fields that were locked when the form was made.
    static func kept(_ json: JSONValue, _ paths: [String], of campaign: ManagedCampaign) -> JSONValue {
        guard let running = campaign.published?.text.campaign?.json else { return json }
        return paths.filter { self.paths.contains($0) }.reduce(json) { json, path in
            let parts = path.split(separator: ".").map(String.init)
            guard parts.count == 2 else { return json.setting(path, running.member(path)) }
            let holder = (json.member(parts[0]) ?? .object([])).setting(parts[1], running.member(parts[0])?.member(parts[1]))
            return json.setting(parts[0], holder == .object([]) ? nil : holder)
        }
    }

    private static func value(_ path: String, of json: JSONValue) -> JSONValue? {
        path.split(separator: ".").reduce(Optional(json)) { $0?.member(String($1)) }
    }
}
