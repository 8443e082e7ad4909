package import EligibilityRules
package import OfferStore
import WireText

/// The use cases of campaigns for people with access keys, within the apps that they may see.
package struct CampaignAdministration: Sendable {
    /// What a change has led to: the changed campaign or, if another caller was faster, the campaign as it is now.
    package typealias Outcome = EditOutcome<ManagedCampaign, ManagedCampaign>

    // The number of campaigns that are read at a time.
    private static let page = 100
    // The ids that no campaign may have, because the paths of the API and of the console use these words in the place of an id.
    private static let taken: Set = ["new", "reach", "try"]

    package let apps: AppDirectory
    package let segments: SegmentDesk
    private let desk: CampaignDesk
    private let access: any AccessStore
    private let check: CampaignCheck
    private let exposures: any ExposureStore
    private let outlines = RecordMemory<Int64, CampaignOutline>()
    private let counted = RecordMemory<[UInt8], CampaignFigures>()
    let system: SystemEnvironment

    /// - Parameter access: shows which access keys were made by which others, and so which may belong to the same person.
    package init(
        store: any CampaignStore,
        segments: any SegmentStore,
        exposures: any ExposureStore,
        access: any AccessStore,
        apps: AppDirectory,
        system: SystemEnvironment
    ) {
        self.exposures = exposures
        let check = CampaignCheck(apps: apps, store: store, system: system)
        self.apps = apps
        self.segments = SegmentDesk(store: segments, apps: apps, system: system)
        self.access = access
        self.check = check
        self.system = system
        desk = CampaignDesk(store: store, access: access, system: system, check: check.findings)
    }

    /// The campaigns of an app, in the order of their ids.
    ///
    /// - Parameter id: only campaigns with ids after this one are listed; nil to begin with the first.
    package func list(of app: App, after id: String? = nil, limit: Int) async throws -> [ManagedCampaign] {
        let now = system.now()
        return try await desk.list(of: app.bundleID, after: id, limit: limit).map { ManagedCampaign($0, at: now) }
    }

    /// All campaigns of an app, in the order of their ids.
    package func all(of app: App) async throws -> [ManagedCampaign] {
        let now = system.now()
        return try await outlines(of: app).map { $0.campaign(at: now) }
    }

    /// The outlines of all campaigns of an app, in the order of the campaigns' ids.
    ///
    /// Only campaigns that have changed since the last call are read from the store.
    package func outlines(of app: App) async throws -> [CampaignOutline] {
        let versions = try await desk.store.versions(of: app.bundleID)
        let outlines = try await outlines.values(of: app.bundleID, versions) { changed in
            var made: [String: CampaignOutline] = [:]
            for start in stride(from: 0, to: changed.count, by: Self.page) {
                let ids = Set(changed[start..<min(start + Self.page, changed.count)])
                for record in try await desk.store.campaigns(of: app.bundleID, ids: ids) {
                    made[record.id] = CampaignOutline(ManagedCampaign(record, at: system.now()))
                }
            }
            return made
        }
        return versions.compactMap { outlines[$0.id] }
    }

    /// The figures of an app's campaigns by id, as last counted.
    package func figures(of app: App) async throws -> [String: CampaignFigures] {
        let records = try await desk.store.counted(of: app.bundleID).map { (id: $0.id, version: $0.figures) }
        return await counted.values(of: app.bundleID, records) { changed in
            let changed = Set(changed)
            return Dictionary(
                uniqueKeysWithValues: records.filter { changed.contains($0.id) }
                    .compactMap { id, bytes in CampaignFigures(stored: bytes).map { (id, $0) } })
        }
    }

    /// One campaign; nil if there is none of this id.
    package func existing(_ id: String, of app: App) async throws -> ManagedCampaign? {
        do { return try await campaign(id, of: app) } catch CampaignError.unknownCampaign { return nil }
    }

    /// One campaign. Throws `CampaignError.unknownCampaign` if there is none of this id.
    package func campaign(_ id: String, of app: App) async throws -> ManagedCampaign {
        ManagedCampaign(try await desk.campaign(CampaignName(id, of: app.bundleID)), at: system.now())
    }

    /// The findings about a campaign's draft, or, without a draft, about the published text.
    ///
    /// A draft with errors cannot be submitted, approved or published.
    package func findings(_ campaign: ManagedCampaign) async throws -> [CampaignFinding] {
        guard let text = campaign.text else { return [] }
        let published = campaign.draft == nil ? nil : campaign.published?.text.campaign
        let findings = try await check.findings(text, campaign.name, published)
        return campaign.takesForecast(at: system.now()) ? findings : findings.filter { $0.code != .verdictUnlikely }
    }

    /// The published campaigns of an app that have not ended.
    package func running(of app: App) async throws -> [ManagedCampaign] {
        try await all(of: app).filter { $0.published != nil && !$0.position.isEnded }
    }

    /// The valid access keys that have a permission for an app's campaigns.
    package func accessKeys(with permission: Permission, in app: App) async throws -> [AccessKey] {
        let now = system.now()
        return try await access.accessRecords().map(AccessKey.init).filter { key in
            key.isGood(at: now) && Role(rawValue: key.role)?.may(permission) == true
                && (key.apps?.contains(app.bundleID) ?? true)
        }
    }

    /// The access keys that may approve a campaign's draft.
    ///
    /// A key that may belong to the same person as an author's key is not among them.
    package func approvers(of campaign: ManagedCampaign, in app: App) async throws -> [AccessKey] {
        let descent = AccessDescent(try await access.accessRecords())
        let authors = campaign.draft?.authors ?? []
        return try await accessKeys(with: .campaignApprovals, in: app).filter { key in
            authors.allSatisfy { descent.areTwoPersons($0, key.id) }
        }
    }

    /// The campaigns in review whose drafts this approver may approve, because other persons wrote them.
    ///
    /// - Parameter approver: the id of an access key.
    package func waiting(in campaigns: [ManagedCampaign], for approver: String) async throws -> [ManagedCampaign] {
        let waiting = campaigns.filter { $0.draft?.phase == .inReview }
        guard !waiting.isEmpty else { return [] }
        let descent = AccessDescent(try await access.accessRecords())
        return waiting.filter { $0.draft!.authors.allSatisfy { descent.areTwoPersons($0, approver) } }
    }

    /// Makes a campaign with its first draft.
    package func create(
        _ id: String,
        _ text: CampaignText,
        of app: App,
        by origin: Origin,
        reason: String = ""
    ) async throws -> Outcome {
        guard !Self.taken.contains(id) else { throw CampaignError.invalidID(id) }
        let (text, writers) = try await copied(text, of: app)
        return outcome(
            try await desk.create(
                CampaignName(id, of: app.bundleID), text.document, writers: writers, by: origin, reason: reason))
    }

    /// Saves a draft.
    ///
    /// - Parameters:
    ///   - basedOn: the revision that the text was edited from. If nil, it is the revision that the present draft was edited from
    ///     or, without a draft, the latest revision.
    ///   - seen: the campaign's version that the caller has seen; nil to save whatever the present version is.
    package func save(
        _ id: String,
        _ text: CampaignText,
        basedOn: Int? = nil,
        of app: App,
        seen: Int64?,
        by origin: Origin,
        reason: String = ""
    ) async throws -> Outcome {
        let (text, writers) = try await copied(text, of: app)
        return try await change(
            id, [.save(text.document, basedOn: basedOn, writers: writers)], of: app, seen: seen, by: origin, reason: reason)
    }

    /// Takes one or several steps in a campaign's life, such as submitting and publishing.
    ///
    /// If one of several steps is refused, none is taken.
    package func take(
        _ steps: [CampaignStep],
        _ id: String,
        of app: App,
        seen: Int64?,
        by origin: Origin,
        reason: String = ""
    ) async throws -> Outcome {
        try await change(id, steps.compactMap(CampaignChange.init), of: app, seen: seen, by: origin, reason: reason)
    }

    /// Publishes a copy of an earlier revision.
    package func rollBack(
        _ id: String,
        to number: Int,
        of app: App,
        seen: Int64?,
        by origin: Origin,
        reason: String = ""
    ) async throws -> Outcome {
        let earlier = try await desk.revision(number, of: CampaignName(id, of: app.bundleID))
        return try await change(id, [.rollBack(earlier)], of: app, seen: seen, by: origin, reason: reason)
    }

    /// Replaces the campaign's testers.
    package func setTesters(
        _ testers: [CampaignTester],
        of id: String,
        _ app: App,
        seen: Int64?,
        by origin: Origin,
        reason: String = ""
    ) async throws -> Outcome {
        try await change(id, [.setTesters(testers)], of: app, seen: seen, by: origin, reason: reason)
    }

    /// How many testers have met each variant of the campaign.
    package func rehearsals(of campaign: ManagedCampaign) async throws -> [RehearsalCount] {
        try await exposures.rehearsals(of: campaign.name.id, bundleID: campaign.name.bundleID)
    }

    /// The published revisions, the latest first.
    ///
    /// - Parameter number: only revisions with smaller numbers are listed; nil to begin with the latest.
    package func revisions(
        of id: String,
        _ app: App,
        before number: Int? = nil,
        limit: Int
    ) async throws -> [ManagedCampaign.Revision] {
        try await desk.revisions(of: CampaignName(id, of: app.bundleID), before: number, limit: limit)
            .map(ManagedCampaign.Revision.init)
    }

    /// One published revision. Throws `CampaignError.unknownRevision` if there is none of this number.
    package func revision(_ number: Int, of id: String, _ app: App) async throws -> ManagedCampaign.Revision {
        ManagedCampaign.Revision(try await desk.revision(number, of: CampaignName(id, of: app.bundleID)))
    }

    /// Adds a note to the activity. The campaign stays as it is.
    package func note(_ text: String, on id: String, of app: App, by origin: Origin) async throws -> Outcome {
        try await change(id, [.note], of: app, seen: nil, by: origin, reason: text)
    }

    /// The activity of a campaign, the latest first.
    ///
    /// - Parameters:
    ///   - number: only entries with smaller numbers are listed; nil to begin with the latest.
    ///   - hasReason: only entries with a reason.
    package func activity(
        of id: String,
        _ app: App,
        before number: Int64? = nil,
        hasReason: Bool = false,
        limit: Int
    ) async throws -> [CampaignActivity] {
        try await desk.activity(of: CampaignName(id, of: app.bundleID), before: number, hasReason: hasReason, limit: limit)
    }

    private func change(
        _ id: String,
        _ changes: [CampaignChange],
        of app: App,
        seen: Int64?,
        by origin: Origin,
        reason: String
    ) async throws -> Outcome {
        let name = CampaignName(id, of: app.bundleID)
        var version = seen
        if version == nil { version = try await desk.campaign(name).version }
        return outcome(try await desk.change(name, changes, seen: version!, by: origin, reason: reason))
    }

    private func outcome(_ result: EditOutcome<CampaignRecord, CampaignRecord>) -> Outcome {
        switch result {
        case .done(let record): .done(ManagedCampaign(record, at: system.now()))
        case .changedMeanwhile(let now): .changedMeanwhile(now: ManagedCampaign(now, at: system.now()))
        }
    }
}

extension CampaignChange {
    /// Makes the change of a step that needs nothing else; nil for a step that needs more, such as the text to save.
    init?(_ step: CampaignStep) {
        switch step {
        case .save, .rollBack, .setTesters: return nil
        case .discard: self = .discard
        case .submit: self = .submit
        case .approve: self = .approve
        case .reject: self = .reject
        case .publish: self = .publish
        case .pause: self = .pause
        case .resume: self = .resume
        case .end: self = .end
        case .note: self = .note
        case .archive: self = .archive
        case .unarchive: self = .unarchive
        }
    }
}
