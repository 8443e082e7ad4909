public import EligibilityRules

/// Campaigns and all their published revisions. The store does not parse their content or judge their changes.
public protocol CampaignStore: Sendable {
    /// A tester, with the campaign's id.
    typealias NamedTester = (campaign: String, tester: CampaignTester)

    /// The campaigns of an app, in the order of ids, each with the documents of its draft and its latest revision.
    ///
    /// - Parameters:
    ///   - id: returns only campaigns after this one; nil begins with the first.
    ///   - limit: how many at most.
    func campaigns(of bundleID: String, after id: String?, limit: Int) async throws(StoreError) -> [CampaignRecord]

    /// The ids of all campaigns of an app with the campaigns' versions, in one query, in the order of ids.
    func versions(of bundleID: String) async throws(StoreError) -> [(id: String, version: Int64)]

    /// The campaigns of an app that have one of these ids, in the order of ids.
    func campaigns(of bundleID: String, ids: Set<String>) async throws(StoreError) -> [CampaignRecord]

    /// A campaign; nil if there is none.
    func campaign(id: String, bundleID: String) async throws(StoreError) -> CampaignRecord?

    /// Published revisions, the latest first.
    ///
    /// - Parameters:
    ///   - number: returns only revisions with smaller numbers; nil begins with the latest.
    ///   - limit: how many at most.
    func publications(
        of id: String,
        bundleID: String,
        before number: Int?,
        limit: Int
    ) async throws(StoreError) -> [CampaignPublication]

    /// A published revision; nil if there is none.
    func publication(_ number: Int, of id: String, bundleID: String) async throws(StoreError) -> CampaignPublication?

    /// The activity of a campaign, the latest first.
    ///
    /// - Parameters:
    ///   - number: returns only earlier entries; nil begins with the latest.
    ///   - hasReason: returns only entries with a reason.
    ///   - limit: how many at most.
    func activity(
        of id: String,
        bundleID: String,
        before number: Int64?,
        hasReason: Bool,
        limit: Int
    ) async throws(StoreError) -> [CampaignActivity]

    /// The latest revisions of all live or paused campaigns of some apps, in one query, in the order of app and id.
    func live(bundleIDs: Set<String>) async throws(StoreError) -> [LiveCampaign]

    /// The ids of the ended campaigns of some apps, in one query.
    func ended(bundleIDs: Set<String>) async throws(StoreError) -> [String: Set<String>]

    /// The campaigns of some apps that have testers and have not ended, in one query, in the order of app and id.
    func rehearsed(bundleIDs: Set<String>) async throws(StoreError) -> [RehearsedCampaign]

    /// The testers with one of these ids in any campaign of an app, including ended campaigns, in the order of campaign ids.
    func testers(withIDs ids: Set<String>, bundleID: String) async throws(StoreError) -> [NamedTester]

    /// The figures of an app's campaigns, in one query, in the order of ids. A campaign that was never counted is left out.
    func counted(of bundleID: String) async throws(StoreError) -> [CountedCampaign]

    /// Replaces the figures of a campaign, unless another process has replaced them first. Returns whether it did.
    ///
    /// - Parameters:
    ///   - last: `countedAt` of the figures that these replace; nil if there are none yet.
    ///   - events: are recorded in the audit log with it.
    func write(
        _ counted: CountedCampaign,
        after last: Instant?,
        audit events: [AuditEvent]
    ) async throws(StoreError) -> Bool

    /// Creates a campaign, or replaces it by its next version, unless another caller has done so first.
    ///
    /// A record that holds a revision with a new number adds it to the published ones. Existing revisions never change.
    ///
    /// `ChangeTopic.campaigns` counts the change if it concerns what processes hold in memory: a new revision, another standing,
    /// other testers, or another draft of a campaign that has testers.
    ///
    /// - Parameters:
    ///   - record: replaces the version before its own. Version 1 requires that the app has no campaign of this id.
    ///   - activity: entries to add, in order.
    ///   - events: are recorded in the audit log with it.
    func write(
        _ record: CampaignRecord,
        activity: [CampaignActivity],
        audit events: [AuditEvent]
    ) async throws(StoreError) -> WriteOutcome<CampaignRecord>
}

/// The result of writing or removing a record, which the caller has read before.
public enum WriteOutcome<Record: Equatable & Sendable>: Equatable, Sendable {
    /// The record was written or removed.
    case written
    /// Nothing was done, because another caller has changed the record since it was read.
    ///
    /// Holds the current record; nil if there is none.
    case changedMeanwhile(Record?)
}

/// The figures of a campaign as last counted, for lists of many campaigns.
public struct CountedCampaign: Equatable, Sendable {
    /// The campaign's id.
    public let id: String
    /// The app's bundle id.
    public let bundleID: String
    /// When the count began. A later count replaces an earlier one.
    public let countedAt: Instant
    /// The figures as JSON, which the store does not parse.
    public let figures: [UInt8]

    /// Stores the given values without checking them.
    public init(id: String, bundleID: String, countedAt: Instant, figures: [UInt8]) {
        self.id = id
        self.bundleID = bundleID
        self.countedAt = countedAt
        self.figures = figures
    }
}

/// A campaign with testers: its draft, its latest revision and the testers.
public struct RehearsedCampaign: Equatable, Sendable {
    /// Unique in the app.
    public let id: String
    /// The app's bundle id.
    public let bundleID: String
    /// The content of the draft; nil if there is none.
    public let draft: [UInt8]?
    /// The number of the latest revision; 0 if nothing was published.
    public let number: Int
    /// The content of the latest revision; nil if nothing was published.
    public let published: [UInt8]?
    /// The testers, at least one.
    public let testers: [CampaignTester]

    /// Stores the given values without checking them.
    public init(
        id: String,
        bundleID: String,
        draft: [UInt8]?,
        number: Int,
        published: [UInt8]?,
        testers: [CampaignTester]
    ) {
        self.id = id
        self.bundleID = bundleID
        self.draft = draft
        self.number = number
        self.published = published
        self.testers = testers
    }
}
