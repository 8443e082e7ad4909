import EligibilityRules
import OfferService
import WireText

/// The fields of a campaign's form that cannot be changed while it runs.
struct CampaignLocks {
    // These fields consist of many inputs, which are not shown as locked one by one. A text says how they can be changed.
    private static let parts: Set = ["audience", "variants"]

    /// The published campaign's JSON; nil if the campaign does not run.
    private let running: JSONValue?
    private(set) var paths: [String]

    static let none = CampaignLocks(running: nil, paths: [])

    private init(running: JSONValue?, paths: [String]) {
        self.running = running
        self.paths = paths
    }

    /// Locks those fields of the form that have the same value in the running campaign.
    ///
    /// A field whose value differs stays unlocked, so that the user can correct it.
    init(_ campaign: ManagedCampaign?, _ json: JSONValue, at now: Instant) {
        guard let campaign, campaign.position.isRunning,
            let published = campaign.published?.text.campaign, !published.schedule.isAhead(at: now)
        else {
            self = .none
            return
        }
        let running = published.json
        let own = CampaignText(json: json).campaign?.json ?? json
        self.init(
            running: running,
            paths: CampaignLock.all.map(\.path).filter { Self.value($0, of: running) == Self.value($0, of: own) })
    }

    /// The text that says why a field is locked; empty if it is not.
    subscript(path: String) -> String {
        guard paths.contains(path), let lock = CampaignLock.all.first(where: { $0.path == path }) else { return "" }
        guard Self.parts.contains(path) else { return "Locked: \(lock.reason)" }
        return "Locked while the campaign runs: \(lock.reason) End it and start a copy of it to change this."
    }

    /// Returns the submitted campaign, with the locked fields taken from the running campaign.
    ///
    /// The submitted form does not contain them, because browsers do not send locked inputs.
    ///
    /// - Parameter paths: the fields that were locked when the form was made.
    static func kept(_ json: JSONValue, _ paths: [String], of campaign: ManagedCampaign) -> JSONValue {
        guard let running = campaign.published?.text.campaign?.json else { return json }
        return paths.filter { path in CampaignLock.all.contains { $0.path == path } }.reduce(json) { json, path in
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
