package import EligibilityRules
package import OfferStore

/// The use cases of a campaign's life, from the first draft to the end. Who may do what is not asked here, but for one thing: nobody
/// approves their own.
package struct CampaignDesk: Sendable {
    /// Finds what is wrong with a document; errors keep it from being published.
    package typealias Check = @Sendable (_ document: [UInt8], _ name: CampaignName) async throws -> [CampaignFinding]

    /// Of a document.
    package static let maxBytes = 262_144
    private static let maxAttempts = 5

    let store: any CampaignStore
    private let access: any AccessStore
    private let check: Check
    private let system: SystemEnvironment

    /// - Parameter access: knows which access keys stand for two persons.
    package init(store: any CampaignStore, access: any AccessStore, system: SystemEnvironment, check: @escaping Check) {
        self.store = store
        self.access = access
        self.check = check
        self.system = system
    }

    /// Makes a campaign with its first draft. One of this id that is there is told as a change that came before.
    package func create(
        _ name: CampaignName,
        _ document: [UInt8],
        by origin: Origin,
        reason: String = ""
    ) async throws -> CampaignResult {
        guard Campaign.isID(name.id) else { throw CampaignError.invalidID(name.id) }
        try Self.limit(document)
        let act = CampaignAct(at: system.now(), by: origin.actor, reason: reason)
        let record = CampaignRecord(name, draft: document, by: act)
        let event = origin.event(
            .createCampaign, at: act.at, bundleID: name.bundleID, subject: name.id, after: record.said, reason: Self.told(reason))
        switch try await store.write(record, audit: [event]) {
        case .written: return .done(record)
        case .changedMeanwhile(let now?): return .changedMeanwhile(now: now, yours: document)
        case .changedMeanwhile(nil): throw CampaignError.unknownCampaign(name)
        }
    }

    /// Keeps a draft, in the place of the one before. What was said of that one in a review no longer holds.
    ///
    /// - Parameters:
    ///   - basedOn: the revision that it was edited from; nil: as before, or the latest for a new draft.
    ///   - seen: the campaign's version that the caller has seen.
    package func save(
        _ name: CampaignName,
        _ document: [UInt8],
        basedOn: Int? = nil,
        seen: Int64,
        by origin: Origin,
        reason: String = ""
    ) async throws -> CampaignResult {
        try Self.limit(document)
        return try await change(name, [.save(document, basedOn: basedOn)], seen, origin, reason)
    }

    /// Gives a draft up; what is published stays.
    package func discard(
        _ name: CampaignName,
        seen: Int64,
        by origin: Origin,
        reason: String = ""
    ) async throws -> CampaignResult {
        try await change(name, [.discard], seen, origin, reason)
    }

    /// Asks somebody else to look at the draft.
    package func submit(
        _ name: CampaignName,
        seen: Int64,
        by origin: Origin,
        reason: String = ""
    ) async throws -> CampaignResult {
        try await change(name, [.submit], seen, origin, reason)
    }

    /// Finds the draft right, as somebody who has written nothing of it.
    ///
    /// - Parameter publish: whether it counts at once; both or nothing.
    package func approve(
        _ name: CampaignName,
        publish: Bool = false,
        seen: Int64,
        by origin: Origin,
        reason: String = ""
    ) async throws -> CampaignResult {
        try await change(name, publish ? [.approve, .publish] : [.approve], seen, origin, reason)
    }

    /// Finds the draft wrong, also one that was approved.
    package func reject(
        _ name: CampaignName,
        seen: Int64,
        by origin: Origin,
        reason: String
    ) async throws -> CampaignResult {
        try await change(name, [.reject], seen, origin, reason)
    }

    /// Has the approved draft count, as the next revision.
    package func publish(
        _ name: CampaignName,
        seen: Int64,
        by origin: Origin,
        reason: String = ""
    ) async throws -> CampaignResult {
        try await change(name, [.publish], seen, origin, reason)
    }

    /// Has the campaign count for nobody, whoever edits it.
    package func pause(_ name: CampaignName, seen: Int64, by origin: Origin, reason: String = "") async throws -> CampaignResult {
        try await change(name, [.pause], seen, origin, reason)
    }

    /// Has it count again.
    package func resume(
        _ name: CampaignName,
        seen: Int64,
        by origin: Origin,
        reason: String = ""
    ) async throws -> CampaignResult {
        try await change(name, [.resume], seen, origin, reason)
    }

    /// Has it count for nobody, for ever.
    package func end(_ name: CampaignName, seen: Int64, by origin: Origin, reason: String = "") async throws -> CampaignResult {
        try await change(name, [.end], seen, origin, reason)
    }

    /// Publishes a copy of an earlier revision, which was approved once. A draft stays, and has to be saved anew before it is submitted.
    package func rollBack(
        _ name: CampaignName,
        to number: Int,
        seen: Int64,
        by origin: Origin,
        reason: String = ""
    ) async throws -> CampaignResult {
        try await change(name, [.rollBack(revision(number, of: name))], seen, origin, reason)
    }

    private func change(
        _ name: CampaignName,
        _ changes: [CampaignChange],
        _ seen: Int64,
        _ origin: Origin,
        _ reason: String
    ) async throws -> CampaignResult {
        let descent = AccessDescent(try await access.accessRecords())
        var now = try await campaign(name)
        for _ in 0..<Self.maxAttempts {
            guard now.isAsSeen(seen, for: changes[0].step) else { break }
            let act = CampaignAct(at: system.now(), by: origin.actor, reason: reason)
            let (next, events) = try step(from: now, changes, act, origin, descent)
            try await examine(changes, of: now, name)
            switch try await store.write(next, audit: events) {
            case .written: return .done(next)
            // Perhaps something else of it: the next attempt tells.
            case .changedMeanwhile(let other?): now = other
            case .changedMeanwhile(nil): throw CampaignError.unknownCampaign(name)
            }
        }
        return .changedMeanwhile(now: now, yours: changes[0].document)
    }

    private func step(
        from record: CampaignRecord,
        _ changes: [CampaignChange],
        _ act: CampaignAct,
        _ origin: Origin,
        _ descent: AccessDescent
    ) throws(CampaignError) -> (CampaignRecord, [AuditEvent]) {
        var (now, events) = (record, [AuditEvent]())
        for change in changes {
            let next = try now.stepped(change, by: act, areTwoPersons: descent.areTwoPersons)
            events.append(
                origin.event(
                    change.step.action, at: act.at, bundleID: record.bundleID, subject: record.id, before: now.said,
                    after: next.said, reason: Self.told(act.reason)))
            now = next
        }
        return (now.following(record), events)
    }

    /// Throws what keeps the document in question from being published; also before somebody is asked to look at it.
    private func examine(_ changes: [CampaignChange], of record: CampaignRecord, _ name: CampaignName) async throws {
        let document: [UInt8]? =
            switch changes[0] {
            case .submit, .approve, .publish: record.draft?.document
            case .rollBack(let earlier): earlier.document
            case .save, .discard, .reject, .pause, .resume, .end: nil
            }
        guard let document else { return }
        let errors = try await check(document, name).filter { $0.severity == .error }
        guard errors.isEmpty else { throw CampaignError.faulty(errors) }
    }

    private static func limit(_ document: [UInt8]) throws(CampaignError) {
        guard document.count <= maxBytes else { throw .tooLarge(maxBytes: maxBytes) }
    }

    private static func told(_ reason: String) -> String? { reason.isEmpty ? nil : reason }
}
