import EligibilityRules
import OfferService

/// The published revisions of a campaign, the changes between two versions, and all activity.
struct CampaignHistoryView: PageView {
    static let template = "campaign-history"

    /// A published revision.
    struct Row: TemplateView {
        let number: Int
        /// The number of the earlier revision of which this one is a copy; nil if it is not a copy.
        let copyOf: Int?
        let isLatest: Bool
        let published: RichText
        let publisher: String
        let authors: String
        let approver: String
        let note: String
        /// The address of the page that rolls back to this revision; nil if that is not possible.
        let rollback: String?
        /// The address at which a new campaign starts as a copy of this revision; nil if the reader may not write campaigns.
        let copy: String?
    }

    /// Two versions, and the changes from one to the other.
    struct Comparison {
        let from: String
        let to: String
        let changes: [ChangeView]
    }

    let head: CampaignHead
    let hasRevisions: Bool
    let action: String
    /// The choices of the version to compare from.
    let froms: [FieldView.Choice]
    let tos: [FieldView.Choice]
    let hasChanges: Bool
    let changes: [ChangeView]
    let revisions: [Row]
    /// The address of the page with the next older revisions; nil if there are none.
    let older: String?
    /// A sentence that names the people who can roll back; nil if the reader can, or if there is no earlier revision.
    let whoRolls: String?
    /// The path of the tab that shows the campaign's rule.
    let rule: String
    let activity: [ActivityRow]
    /// The address of the page with earlier activity; nil if there is none.
    let earlier: String?
    let notes: CampaignNotesView

    /// - Parameters:
    ///   - found: the revisions of the page, latest first. If there are older ones, it has one more than the page shows.
    ///   - entries: the entries of the activity. If there are older ones, it has one more than the page shows.
    init(
        _ campaign: ManagedCampaign,
        _ compared: Comparison,
        _ found: [ManagedCampaign.Revision],
        _ entries: [CampaignActivity],
        _ notes: CampaignNotesView,
        whoRolls: String?,
        _ visit: CampaignVisit
    ) {
        let path = visit.path(campaign.name.id, "history")
        head = CampaignHead(campaign, at: .history, visit)
        hasRevisions = campaign.published != nil
        action = path
        froms = Self.versions(campaign, compared.from)
        tos = Self.versions(campaign, compared.to)
        hasChanges = !compared.changes.isEmpty
        changes = compared.changes
        revisions = found.prefix(CampaignHistoryPage.rows).map { Self.row($0, campaign, visit) }
        older =
            found.count > CampaignHistoryPage.rows ? "\(path)?before=\(found[CampaignHistoryPage.rows - 1].number)" : nil
        self.whoRolls = whoRolls
        rule = visit.path(campaign.name.id, "rule")
        activity = ActivityRow.rows(entries.prefix(CampaignHistoryPage.rows), campaign, visit)
        earlier =
            entries.count > CampaignHistoryPage.rows
            ? "\(path)?activity=\(entries[CampaignHistoryPage.rows - 1].number)#activity" : nil
        self.notes = notes
    }

    private static func versions(_ campaign: ManagedCampaign, _ chosen: String) -> [FieldView.Choice] {
        let latest = campaign.published?.number ?? 0
        var all = campaign.draft == nil ? [] : [(CampaignHistoryPage.draft, "the draft")]
        all += stride(from: latest, through: max(1, latest - CampaignHistoryPage.rows), by: -1).map {
            ("\($0)", "revision \($0)")
        }
        all.append(("0", "nothing"))
        if !all.contains(where: { $0.0 == chosen }) { all.append((chosen, "revision \(chosen)")) }
        return all.map { FieldView.Choice(id: $0.0, label: $0.1, isChosen: $0.0 == chosen) }
    }

    private static func row(_ revision: ManagedCampaign.Revision, _ campaign: ManagedCampaign, _ visit: CampaignVisit) -> Row {
        let isLatest = revision.number == campaign.published?.number
        let mayRollBack = visit.may(.campaignApprovals) && !isLatest && campaign.position.after(.rollBack) != nil
        return Row(
            number: revision.number, copyOf: revision.copyOf, isLatest: isLatest,
            published: visit.time.at(revision.published.at, withZone: false), publisher: visit.name(revision.published.by),
            authors: revision.authors.map(visit.name).joined(separator: ", "), approver: visit.name(revision.approved.by),
            note: revision.published.reason,
            rollback: mayRollBack ? visit.path(campaign.name.id, "rollback") + "?to=\(revision.number)" : nil,
            copy: visit.copy(of: campaign).map { "\($0)&revision=\(revision.number)" })
    }
}

/// An entry of a campaign's activity.
struct ActivityRow: TemplateView {
    let at: RichText
    let who: String
    let did: String
    let revision: String
    let reason: String

    private init(_ entry: CampaignActivity, times: Int, _ campaign: ManagedCampaign, _ visit: CampaignVisit) {
        at = visit.time.at(entry.act.at, withZone: false)
        who = visit.name(entry.act.by)
        did = entry.words + (times > 1 ? ", \(times) times" : "")
        revision = Self.revision(entry, campaign)
        reason = entry.act.reason
    }

    /// Returns the rows for entries, the latest first.
    ///
    /// If an actor saves several times in succession, only one row is shown for that.
    static func rows(_ entries: some Sequence<CampaignActivity>, _ campaign: ManagedCampaign, _ visit: CampaignVisit)
        -> [ActivityRow]
    {
        var runs: [(last: CampaignActivity, times: Int)] = []
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

    /// Returns in words the revision that an entry is about; empty if it is about none.
    static func revision(_ entry: CampaignActivity, _ campaign: ManagedCampaign) -> String {
        if entry.revision == 0 { return "" }
        return entry.revision > campaign.published?.number ?? 0 ? "the draft" : "revision \(entry.revision)"
    }
}
