import EligibilityRules
import OfferService

/// Finds what needs the reader's attention in campaigns, as items of the overview.
struct CampaignAttention {
    /// Items of one kind.
    private struct Group {
        /// The value of the page's `show` that shows all of them.
        let id: String
        /// What all campaigns of the group have in common, after a number: `wait for your review`.
        let what: String
        let items: [AttentionView]

        /// The items, of which a long list is cut.
        var shown: [AttentionView] {
            guard items.count > CampaignAttention.maxItems else { return items }
            let more = AttentionView(
                tone: "info", heading: "\(ConsoleTime.number(items.count - CampaignAttention.maxItems)) more \(what)", text: "",
                link: LinkView(href: "/console/?show=\(id)", label: "Show all"))
            return items.prefix(CampaignAttention.maxItems) + [more]
        }
    }

    private static let day: Int64 = 86_400_000
    private static let maxItems = 5

    let campaigns: CampaignAdministration
    let caller: Caller
    let time: ConsoleTime
    /// The names of actors for people, by the actors' ids.
    let names: [String: String]

    /// Returns the items about the campaigns of these apps, and how many there are.
    ///
    /// Items about problems come first, and then results. Items about campaigns that start or end soon come last. Of each kind only
    /// a few are returned, and a link to all.
    ///
    /// - Parameter show: the kind of which all items are returned, and no others; nil for all kinds.
    func items(of apps: [App], show: String?) async throws -> (items: [AttentionView], count: Int) {
        var all: [ManagedCampaign] = []
        var running: [(ManagedCampaign, CampaignFigures)] = []
        for app in apps {
            let own = try await campaigns.all(of: app)
            let figures = (try? await campaigns.figures(of: app)) ?? [:]
            all += own
            running += own.filter(\.position.isRunning).compactMap { each in figures[each.name.id].map { (each, $0) } }
        }
        let waiting = caller.role.may(.campaignApprovals) ? try await campaigns.waiting(in: all, for: caller.id) : []
        let groups = [
            Group(id: "split", what: "have a split that is off", items: mayAct ? running.compactMap(splitOff) : []),
            Group(id: "used-up", what: "are used up", items: mayAct ? running.compactMap(usedUp) : []),
            Group(id: "verdicts", what: "have a verdict", items: mayAct ? running.compactMap(verdict) : []),
            Group(id: "sent-back", what: "were sent back", items: all.compactMap(sentBack)),
            Group(id: "reviews", what: "wait for your review", items: waiting.map(review)),
            Group(id: "approved", what: "are approved and not published", items: all.compactMap(approved)),
            Group(id: "starts", what: "start within a day", items: all.compactMap { date($0, isStart: true) }),
            Group(id: "ends", what: "end within a week", items: all.compactMap { date($0, isStart: false) }),
        ]
        let count = groups.reduce(0) { $0 + $1.items.count }
        guard let chosen = groups.first(where: { $0.id == show }) else { return (groups.flatMap(\.shown), count) }
        return (
            chosen.items + [
                AttentionView(
                    tone: "info", heading: "Only these are shown", text: "",
                    link: LinkView(href: "/console/", label: "Show everything"))
            ], count
        )
    }

    private var mayAct: Bool { [.campaignDrafts, .campaignApprovals, .campaignRuns].contains(where: caller.role.may) }

    private func splitOff(_ campaign: ManagedCampaign, _ figures: CampaignFigures) -> AttentionView? {
        guard figures.isSplitOff else { return nil }
        return item(campaign, "bad", "has a split that is off", figures.sentence, "Open results", part: "results")
    }

    private func usedUp(_ campaign: ManagedCampaign, _ figures: CampaignFigures) -> AttentionView? {
        guard campaign.state == .live, let total = figures.total, total.isUsedUp else { return nil }
        return item(
            campaign, "warn", "is used up",
            "Its \(ConsoleTime.count(total.max, "offer")) are redeemed or reserved, so it takes no more customers.", "Open rule",
            part: "rule")
    }

    private func verdict(_ campaign: ManagedCampaign, _ figures: CampaignFigures) -> AttentionView? {
        switch figures.verdict {
        case .winner where figures.moneyDisagrees:
            item(campaign, "warn", "has a winner that earns less", figures.sentence, "Open results", part: "results")
        case .winner: item(campaign, "good", "has a winner", figures.sentence, "Open results", part: "results")
        case .noDifference:
            item(campaign, "info", "has shown what it can", figures.sentence, "Open results", part: "results")
        case .noVerdictYet, .tooLittleData, .sampleRatioMismatch: nil
        }
    }

    private func review(_ campaign: ManagedCampaign) -> AttentionView {
        item(
            campaign, "info", "waits for your review", attribution(campaign.draft?.submitted), "Review", part: "review")
    }

    private func sentBack(_ campaign: ManagedCampaign) -> AttentionView? {
        guard campaign.draft?.phase == .rejected, caller.role.may(.campaignDrafts) else { return nil }
        return item(campaign, "warn", "was sent back", attribution(campaign.draft?.ruled), "Open draft", part: "rule")
    }

    private func approved(_ campaign: ManagedCampaign) -> AttentionView? {
        guard campaign.draft?.phase == .approved, caller.role.may(.campaignRuns) else { return nil }
        return item(
            campaign, "info", "is approved and not published", attribution(campaign.draft?.ruled), "Open review", part: "review")
    }

    /// Returns the item about a campaign that starts within a day or ends within a week; nil for any other.
    private func date(_ campaign: ManagedCampaign, isStart: Bool) -> AttentionView? {
        guard caller.role.may(.campaignRuns) else { return nil }
        let schedule = campaign.published?.text.campaign?.schedule
        if isStart {
            guard campaign.state == .scheduled, let from = schedule?.from, from < time.now.advanced(by: Self.day) else {
                return nil
            }
            return item(campaign, "info", "starts in \(span(until: from))", time.plain(from) + " UTC.", "Open rule", part: "rule")
        }
        guard campaign.state == .live, let until = schedule?.until, until < time.now.advanced(by: 7 * Self.day) else {
            return nil
        }
        return item(
            campaign, "info", "ends in \(span(until: until))", time.plain(until) + " UTC.", "Open results", part: "results")
    }

    private func item(
        _ campaign: ManagedCampaign,
        _ tone: String,
        _ what: String,
        _ text: String,
        _ label: String,
        part: String
    ) -> AttentionView {
        let (app, id) = (PercentEncoding.encoded(campaign.name.bundleID), PercentEncoding.encoded(campaign.name.id))
        return AttentionView(
            tone: tone, heading: "“\(campaign.title)” \(what)", text: text,
            link: LinkView(href: "/console/apps/\(app)/campaigns/\(id)/\(part)", label: label))
    }

    /// Returns the actor and the reason of a step: `approver-1: “too dear”`; empty if there is no step.
    private func attribution(_ act: CampaignAct?) -> String {
        guard let act else { return "" }
        let name = names[act.by] ?? act.by
        return act.reason.isEmpty ? "By \(name)." : "\(name): “\(act.reason)”"
    }

    private func span(until instant: Instant) -> String {
        ConsoleTime.span((instant.milliseconds - time.now.milliseconds) / 1000)
    }
}
