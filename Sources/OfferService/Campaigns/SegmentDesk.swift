package import EligibilityRules
package import OfferStore
import WireText

/// The use cases of segments, which an app's campaigns share.
///
/// A change of a segment is stored at once, but it changes no campaign. A campaign's draft has a copy of the segment, which is
/// reviewed and published together with the draft.
package struct SegmentDesk: Sendable {
    /// What a change has led to.
    ///
    /// The value of `changedMeanwhile` is nil if the segment no longer exists.
    package typealias Outcome = EditOutcome<ManagedSegment, ManagedSegment?>

    /// The maximum size of a segment, in bytes.
    package static let maxBytes = 65_536
    private static let maxCount = 500
    // The id that no segment may have, because the paths of the console use this word in the place of an id.
    private static let taken = "new"

    private let store: any SegmentStore
    private let apps: AppDirectory
    private let system: SystemEnvironment

    package init(store: any SegmentStore, apps: AppDirectory, system: SystemEnvironment) {
        self.store = store
        self.apps = apps
        self.system = system
    }

    /// The segments of an app, in the order of their ids.
    package func list(of bundleID: String) async throws(StoreError) -> [ManagedSegment] {
        try await store.segments(of: bundleID).compactMap(ManagedSegment.init)
    }

    /// One segment. Throws `CampaignError.unknownSegment` if there is none of this id.
    package func segment(_ id: String, of app: App) async throws -> ManagedSegment {
        guard let segment = try await existing(id, of: app) else { throw CampaignError.unknownSegment(id) }
        return segment
    }

    /// One segment; nil if there is none of this id.
    package func existing(_ id: String, of app: App) async throws(StoreError) -> ManagedSegment? {
        try await list(of: app.bundleID).first { ExactText($0.segment.id) == ExactText(id) }
    }

    /// The errors in a segment, which keep it from being saved.
    private func findings(_ segment: Segment, of app: App, among all: [ManagedSegment]) throws -> [CampaignFinding] {
        let others = Segments(all.map(\.segment))
        return CampaignValidation(
            catalogue: try apps.app(app.bundleID).catalogue, segments: others, now: system.now()
        ).findings(segment).filter { $0.severity == .error }
    }

    /// Makes or changes a segment.
    ///
    /// Throws `CampaignError.faultySegment` if it has errors.
    ///
    /// - Parameter seen: the version that the caller has seen; 0 if the segment did not exist; nil to replace whatever version
    ///   there is.
    package func save(
        _ segment: Segment,
        of app: App,
        seen: Int64?,
        by origin: Origin,
        reason: String = ""
    ) async throws -> Outcome {
        let document = segment.withoutVersion.json.bytes
        guard document.count <= Self.maxBytes else { throw CampaignError.tooLarge(maxBytes: Self.maxBytes) }
        if let fault = TextLimit.reason.fault(of: reason) { throw CampaignError.invalidReason(fault) }
        let all = try await list(of: app.bundleID)
        let now = all.first { ExactText($0.segment.id) == ExactText(segment.id) }
        var errors = try findings(segment, of: app, among: all)
        if segment.id == Self.taken {
            errors.append(.unreadable("id", "The console uses “new” in its own addresses. Choose another id."))
        }
        if now == nil, all.count >= Self.maxCount { errors.append(.tooManySegments(max: Self.maxCount)) }
        guard errors.isEmpty else { throw CampaignError.faultySegment(errors) }
        if let now, seen == nil || seen == now.version, now.segment.withoutVersion == segment.withoutVersion { return .done(now) }
        let record = SegmentRecord(
            id: segment.id, bundleID: app.bundleID, version: (seen ?? now?.version ?? 0) + 1, document: document,
            changed: CampaignAct(at: system.now(), by: origin.actor, reason: reason))
        let event = origin.event(
            .saveSegment, at: record.changed.at, partition: AppPartition(bundleID: app.bundleID),
            object: AuditObject(segment.id), reason: reason.isEmpty ? nil : reason)
        switch try await store.write(record, audit: [event]) {
        case .written: return .done(ManagedSegment(record)!)
        case .changedMeanwhile(let other): return .changedMeanwhile(now: other.flatMap(ManagedSegment.init))
        }
    }

    /// Removes a segment. Throws `CampaignError.segmentInUse` if campaigns or other segments use it.
    ///
    /// - Parameters:
    ///   - campaigns: all campaigns of the app.
    ///   - seen: the version that the caller has seen; nil to remove whatever version there is.
    package func remove(
        _ id: String,
        of app: App,
        in campaigns: [ManagedCampaign],
        seen: Int64?,
        by origin: Origin
    ) async throws -> Outcome {
        let segment = try await segment(id, of: app)
        let users = try await users(of: id, app, campaigns)
        guard users.isEmpty else { throw CampaignError.segmentInUse(by: users) }
        let event = origin.event(
            .removeSegment, at: system.now(), partition: AppPartition(bundleID: app.bundleID),
            object: AuditObject(id))
        let outcome = try await store.removeSegment(
            id: id, bundleID: app.bundleID, version: seen ?? segment.version, audit: [event])
        switch outcome {
        case .written: return .done(segment)
        case .changedMeanwhile(let other): return .changedMeanwhile(now: other.flatMap(ManagedSegment.init))
        }
    }

    /// The campaigns and segments that name a segment, in words. Each is listed once.
    private func users(of id: String, _ app: App, _ campaigns: [ManagedCampaign]) async throws -> [String] {
        let uses = SegmentUse.all(of: id, in: campaigns, at: system.now()).map { "the campaign \($0.campaign.name.id)" }
        let others = try await list(of: app.bundleID).filter { other in
            other.segment.condition.segmentIDs.contains { ExactText($0) == ExactText(id) }
        }
        return Set(uses).sorted() + others.map { "the segment \($0.segment.id)" }
    }
}

extension CampaignFinding {
    fileprivate static func tooManySegments(max: Int) -> CampaignFinding {
        unreadable("id", "An app may have \(max) segments. Remove one that is not in use.")
    }
}

extension Segment {
    fileprivate var withoutVersion: Segment { Segment(id: id, name: name, condition: condition) }
}

/// The use of a segment in a campaign, whose draft or published text has a copy of it.
package struct SegmentUse: Sendable {
    package let campaign: ManagedCampaign
    /// The copy of the segment in the campaign.
    package let copy: Segment
    /// Whether the copy is in the campaign's draft. If not, it is in the published text.
    package let isDraft: Bool
    /// Whether the campaign has begun, so that its audience cannot change.
    package let isFixed: Bool

    /// The uses of a segment in campaigns that have not ended. For each campaign the published text comes before the draft.
    package static func all(of id: String, in campaigns: [ManagedCampaign], at now: Instant) -> [SegmentUse] {
        campaigns.filter { !$0.position.isEnded }.flatMap { campaign -> [SegmentUse] in
            let texts = [(campaign.published?.text, false), (campaign.draft?.text, true)]
            return texts.compactMap { text, isDraft in
                let copy = text?.legible?.segments.first { ExactText($0.id) == ExactText(id) }
                return copy.map {
                    SegmentUse(campaign: campaign, copy: $0, isDraft: isDraft, isFixed: campaign.hasBegun(at: now))
                }
            }
        }
    }

    /// Whether the copy has the same condition as the segment now has.
    ///
    /// If the condition names other segments, these are not compared.
    package func isCurrent(_ segment: Segment) -> Bool { copy.condition == segment.condition }

    /// Whether the campaign can get a draft with the segment as it is now.
    package func mayFollow(_ segment: Segment) -> Bool {
        !isFixed && !isCurrent(segment) && isDraft == (campaign.draft != nil)
    }
}

extension ManagedCampaign {
    /// Whether the published revision has begun, so that the campaign's audience cannot change.
    package func hasBegun(at now: Instant) -> Bool {
        position.isRunning && published?.text.campaign?.schedule.isAhead(at: now) == false
    }

    /// Whether a forecast says something about the campaign.
    ///
    /// A forecast says what would happen if the campaign started now, so it is of no use once the campaign has begun.
    package func takesForecast(at now: Instant) -> Bool { !hasBegun(at: now) && !position.isEnded }
}
