import OfferService

/// An entry of a campaign's activity.
struct ActivityRow: TemplateView {
    let at: RichText
    let who: String
    let did: String
    let revision: String
    let reason: String

    private init(_ entry: ManagedCampaign.Activity, times: Int, _ campaign: ManagedCampaign, _ visit: CampaignVisit) {
        at = visit.time.at(entry.act.at, withZone: false)
        who = visit.name(entry.act.by)
        did = entry.words + (times > 1 ? ", \(times) times" : "")
        revision = Self.revision(entry, campaign)
        reason = entry.act.reason
    }

    /// Returns the rows of entries, the latest first. An actor's saves without another step between them are one row.
    static func rows(_ entries: some Sequence<ManagedCampaign.Activity>, _ campaign: ManagedCampaign, _ visit: CampaignVisit)
        -> [ActivityRow]
    {
        var runs: [(last: ManagedCampaign.Activity, times: Int)] = []
        for entry in entries {
            if let run = runs.last, entry.step == "save", run.last.step == "save", run.last.act.by == entry.act.by,
                run.last.act.reason == entry.act.reason
            {
                runs[runs.count - 1].times += 1
            } else {
                runs.append((entry, 1))
            }
        }
        return runs.map { ActivityRow($0.last, times: $0.times, campaign, visit) }
    }

    /// Returns the revision that an entry concerns, in words; empty for none.
    static func revision(_ entry: ManagedCampaign.Activity, _ campaign: ManagedCampaign) -> String {
        if entry.revision == 0 { return "" }
        return entry.revision > campaign.published?.number ?? 0 ? "the draft" : "revision \(entry.revision)"
    }
}
