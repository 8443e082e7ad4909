package import EligibilityRules
package import OfferStore

/// The use cases of a campaign's life, from the first draft to the end.
///
/// Permissions are not checked here, with one exception: authors cannot approve their own draft.
package struct CampaignDesk: Sendable {
    /// Finds what is wrong with a document; errors keep it from being published.
    ///
    /// `published` is the campaign's published document; nil if it was never published.
    package typealias Check =
        @Sendable (_ document: [UInt8], _ name: CampaignName, _ published: [UInt8]?) async throws ->
        [CampaignFinding]

    /// The maximum size of a document, in bytes.
    package static let maxBytes = 262_144
    private static let maxAttempts = 5

    let store: any CampaignStore
    private let access: any AccessStore
    private let check: Check
    private let system: SystemEnvironment

    /// - Parameter access: shows which access keys were made by which others, and so which may belong to the same person.
    package init(store: any CampaignStore, access: any AccessStore, system: SystemEnvironment, check: @escaping Check) {
        self.store = store
        self.access = access
        self.check = check
        self.system = system
    }

    /// Makes a campaign with its first draft.
    ///
    /// If there is one of this id, the result is `changedMeanwhile`.
    ///
    /// - Parameter writers: the people who wrote the segments that the document has copies of.
    package func create(
        _ name: CampaignName,
        _ document: [UInt8],
        writers: [String] = [],
        by origin: Origin,
        reason: String = ""
    ) async throws -> EditOutcome<CampaignRecord, CampaignRecord> {
        guard Campaign.isID(name.id) else { throw CampaignError.invalidID(name.id) }
        try Self.limit(document, reason)
        let act = CampaignAct(at: system.now(), by: origin.actor, reason: reason)
        let record = CampaignRecord(name, draft: document, by: act, writers: writers)
        let event = origin.event(
            .createCampaign, at: act.at, partition: AppPartition(bundleID: name.bundleID),
            object: AuditObject(name.id, after: record.auditText(.openSSL)), reason: Self.nonEmpty(reason))
        let entry = CampaignActivity(step: CampaignActivity.created, act: act, revision: 1)
        switch try await store.write(record, activity: [entry], audit: [event]) {
        case .written: return .done(record)
        case .changedMeanwhile(let now?): return .changedMeanwhile(now: now)
        case .changedMeanwhile(nil): throw CampaignError.unknownCampaign(name)
        }
    }

    /// Changes a campaign by one step or by several.
    ///
    /// If one of several steps is not possible, none is taken.
    ///
    /// - Parameter seen: the campaign's version that the caller has seen.
    package func change(
        _ name: CampaignName,
        _ changes: [CampaignChange],
        seen: Int64,
        by origin: Origin,
        reason: String = ""
    ) async throws -> EditOutcome<CampaignRecord, CampaignRecord> {
        try Self.limit(changes[0].document ?? [], reason)
        let descent = AccessDescent(try await access.accessRecords())
        var now = try await campaign(name)
        for _ in 0..<Self.maxAttempts {
            guard now.isAsSeen(seen, for: changes[0].step) else { break }
            let act = CampaignAct(at: system.now(), by: origin.actor, reason: reason)
            let (next, activity, events, documents) = try step(from: now, changes, act, origin, descent)
            for document in documents { try await examine(document, name, now.published?.document) }
            switch try await store.write(next, activity: activity, audit: events) {
            case .written: return .done(next)
            // The other change may concern another part of the campaign. If so, the next attempt succeeds.
            case .changedMeanwhile(let other?): now = other
            case .changedMeanwhile(nil): throw CampaignError.unknownCampaign(name)
            }
        }
        return .changedMeanwhile(now: now)
    }

    private func step(
        from record: CampaignRecord,
        _ changes: [CampaignChange],
        _ act: CampaignAct,
        _ origin: Origin,
        _ descent: AccessDescent
    ) throws(CampaignError) -> (CampaignRecord, [CampaignActivity], [AuditEvent], documents: Set<[UInt8]>) {
        var (now, activity, events, documents) = (record, [CampaignActivity](), [AuditEvent](), Set<[UInt8]>())
        var state = record.auditText(.openSSL)
        for change in changes {
            if let document = change.document(inQuestionOf: now) { documents.insert(document) }
            let next = try now.stepped(change, by: act, areTwoPersons: descent.areTwoPersons)
            activity.append(next.activity(change.step, act))
            let after = next.following(record).auditText(.openSSL)
            events.append(
                origin.event(
                    change.step.action, at: act.at, partition: AppPartition(bundleID: record.bundleID),
                    object: AuditObject(record.id, before: state, after: after),
                    reason: Self.nonEmpty(act.reason)))
            (now, state) = (next, after)
        }
        return (now.following(record), activity, events, documents)
    }

    /// Throws the errors in a document that keep it from being published.
    private func examine(_ document: [UInt8], _ name: CampaignName, _ published: [UInt8]?) async throws {
        let errors = try await check(document, name, published).filter { $0.severity == .error }
        guard errors.isEmpty else { throw CampaignError.faulty(errors) }
    }

    private static func limit(_ document: [UInt8], _ reason: String) throws(CampaignError) {
        guard document.count <= maxBytes else { throw .tooLarge(maxBytes: maxBytes) }
        if let fault = TextLimit.reason.fault(of: reason) { throw .invalidReason(fault) }
    }

    private static func nonEmpty(_ reason: String) -> String? { reason.isEmpty ? nil : reason }
}

/// The outcome of a change that is made only if nothing has changed since the caller last looked.
package enum EditOutcome<Value: Sendable, Now: Sendable>: Sendable {
    /// The change was made.
    ///
    /// The value is what was changed, as it is now.
    case done(Value)
    /// Nothing was changed, because another caller has made a change since this caller last looked.
    ///
    /// `now` is the present state.
    case changedMeanwhile(now: Now)
}

extension EditOutcome: Equatable where Value: Equatable, Now: Equatable {}

extension CampaignDesk {
    /// The campaigns of an app, in the order of their ids.
    ///
    /// - Parameter id: only campaigns with ids after this one are listed; nil to begin with the first.
    package func list(of bundleID: String, after id: String? = nil, limit: Int) async throws(StoreError) -> [CampaignRecord] {
        try await store.campaigns(of: bundleID, after: id, limit: limit)
    }

    /// One campaign. Throws `CampaignError.unknownCampaign` or a `StoreError`.
    package func campaign(_ name: CampaignName) async throws -> CampaignRecord {
        guard let record = try await store.campaign(id: name.id, bundleID: name.bundleID) else {
            throw CampaignError.unknownCampaign(name)
        }
        return record
    }

    /// The published revisions of a campaign, the latest first.
    ///
    /// - Parameter number: only revisions with smaller numbers are listed; nil to begin with the latest.
    package func revisions(
        of name: CampaignName,
        before number: Int? = nil,
        limit: Int
    ) async throws -> [CampaignPublication] {
        let found = try await store.publications(of: name.id, bundleID: name.bundleID, before: number, limit: limit)
        if found.isEmpty { _ = try await campaign(name) }
        return found
    }

    /// The activity of a campaign, the latest first.
    ///
    /// - Parameters:
    ///   - number: only entries with smaller numbers are listed; nil to begin with the latest.
    ///   - hasReason: only entries with a reason.
    package func activity(
        of name: CampaignName,
        before number: Int64? = nil,
        hasReason: Bool = false,
        limit: Int
    ) async throws -> [CampaignActivity] {
        let found = try await store.activity(
            of: name.id, bundleID: name.bundleID, before: number, hasReason: hasReason, limit: limit)
        if found.isEmpty { _ = try await campaign(name) }
        return found
    }

    /// One published revision.
    ///
    /// Throws `CampaignError.unknownRevision` if there is none of this number.
    package func revision(_ number: Int, of name: CampaignName) async throws -> CampaignPublication {
        if let found = try await store.publication(number, of: name.id, bundleID: name.bundleID) { return found }
        throw CampaignError.unknownRevision(number, latest: try await campaign(name).latest)
    }
}
