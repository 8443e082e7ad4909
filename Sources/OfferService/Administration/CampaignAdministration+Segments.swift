package import EligibilityRules
import OfferStore
import WireText

extension CampaignAdministration {
    /// Returns a campaign's text as it is kept in a draft: with copies of the segments that its audience names, as they are now.
    ///
    /// A campaign that has begun keeps its own copies, because its audience is fixed.
    package func withSegments(_ text: CampaignText, of app: App) async throws -> CampaignText {
        try await copied(text, of: app).text
    }

    /// Returns the text with copies of its segments, and who wrote those copies that are not published yet.
    ///
    /// These writers count as authors of the draft, so none of them may approve it.
    func copied(_ text: CampaignText, of app: App) async throws -> (text: CampaignText, writers: [String]) {
        let isNaming = text.legible?.audience?.segmentIDs.isEmpty == false
        guard isNaming || text.json.member("segments") != nil else { return (text, []) }
        let stored = try await segments.list(of: app.bundleID)
        var (sources, published) = ([Segments(stored.map(\.segment))], [Segment]())
        if let id = text.legible?.id, let campaign = try await existing(id, of: app) {
            published = campaign.published?.text.campaign?.segments ?? []
            if campaign.hasBegun(at: system.now()) { sources.insert(Segments(published), at: 0) }
        }
        let copied = text.withSegments(from: sources)
        let new = (copied.legible?.segments ?? []).filter { !published.contains($0) }
        return (copied, stored.filter { new.contains($0.segment) }.map(\.changed.by))
    }

    /// The uses of a segment in campaigns of the app that have not ended.
    package func uses(of id: String, _ app: App) async throws -> [SegmentUse] {
        SegmentUse.all(of: id, in: try await all(of: app), at: system.now())
    }

    /// Removes a segment that is not in use. Throws `CampaignError.segmentInUse` if it is.
    package func removeSegment(_ id: String, of app: App, seen: Int64?, by origin: Origin) async throws -> SegmentDesk.Outcome {
        try await segments.remove(id, of: app, in: all(of: app), seen: seen, by: origin)
    }

    /// Saves drafts with a segment as it is now for all campaigns that have an earlier copy and have not begun.
    ///
    /// A draft that was in review must be submitted again. Returns the campaigns whose drafts were saved, and those that were
    /// skipped because another caller has just changed them or because they have become too large.
    package func takeOver(
        _ segment: Segment,
        of app: App,
        by origin: Origin,
        reason: String
    ) async throws -> (saved: [ManagedCampaign], skipped: [ManagedCampaign]) {
        var (saved, skipped) = ([ManagedCampaign](), [ManagedCampaign]())
        for use in try await uses(of: segment.id, app) where use.mayFollow(segment) {
            let (campaign, text) = (use.campaign, use.campaign.text!)
            do {
                let outcome = try await save(campaign.name.id, text, of: app, seen: campaign.version, by: origin, reason: reason)
                if case .done(let campaign) = outcome { saved.append(campaign) } else { skipped.append(campaign) }
            } catch is CampaignError { skipped.append(campaign) }
        }
        return (saved, skipped)
    }
}
