public import EligibilityRules

/// Campaigns, and every revision that was published of one. What they say is opaque, and what may follow what is not decided here.
public protocol CampaignStore: Sendable {
    /// A tester with the id of the campaign.
    typealias NamedTester = (campaign: String, tester: CampaignTester)

    /// Those of an app, in the order of their ids, each with the documents of its draft and its latest revision.
    ///
    /// - Parameters:
    ///   - id: those behind this one only; nil from the first.
    ///   - limit: how many at most.
    func campaigns(of bundleID: String, after id: String?, limit: Int) async throws(StoreError) -> [CampaignRecord]

    /// One of them; nil if there is none.
    func campaign(id: String, bundleID: String) async throws(StoreError) -> CampaignRecord?

    /// Published revisions, the latest first.
    ///
    /// - Parameters:
    ///   - number: those with smaller numbers only; nil from the latest.
    ///   - limit: how many at most.
    func publications(
        of id: String,
        bundleID: String,
        before number: Int?,
        limit: Int
    ) async throws(StoreError) -> [CampaignPublication]

    /// One published revision; nil if there is none.
    func publication(_ number: Int, of id: String, bundleID: String) async throws(StoreError) -> CampaignPublication?

    /// What is published of the campaigns of some apps, in one look: all that are live or paused, in the order of app and id.
    func live(bundleIDs: Set<String>) async throws(StoreError) -> [LiveCampaign]

    /// The ids of the campaigns of some apps that have ended, in one look.
    func ended(bundleIDs: Set<String>) async throws(StoreError) -> [String: Set<String>]

    /// The campaigns of some apps that have testers and have not ended, in one look, in the order of app and id.
    func rehearsed(bundleIDs: Set<String>) async throws(StoreError) -> [RehearsedCampaign]

    /// The testers of an app's campaigns who go by some ids, also of those that have ended, in the order of the campaigns' ids.
    func testers(goingBy ids: Set<String>, bundleID: String) async throws(StoreError) -> [NamedTester]

    /// Makes a campaign, or replaces it by its next version, if nobody else has done so.
    ///
    /// With a revision of a new number in it that is added to the published ones; those that are there never change. A new revision,
    /// another standing and other testers raise the revision of `ChangeTopic.campaigns`, and so does the draft of one that has testers;
    /// nothing else does.
    ///
    /// - Parameters:
    ///   - record: replaces the version before its own; with version 1 there must be none of its id in the app.
    ///   - events: what the audit log gets with it.
    func write(_ record: CampaignRecord, audit events: [AuditEvent]) async throws(StoreError) -> CampaignOutcome
}
