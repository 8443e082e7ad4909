package import EligibilityRules
package import OfferStore
import Synchronization

/// Campaigns that are forgotten with the process.
package final class MemoryCampaignStore: CampaignStore {
    private struct Name: Hashable {
        let bundleID: String
        let id: String
    }

    private struct State {
        var records: [Name: CampaignRecord] = [:]
        var publications: [Name: [CampaignPublication]] = [:]
        var activity: [Name: [CampaignActivity]] = [:]
        var counted: [Name: CountedCampaign] = [:]
        var revision: Int64 = 0
    }

    private let state = Mutex(State())
    private let audit: MemoryAudit

    package init(_ audit: MemoryAudit = MemoryAudit()) {
        self.audit = audit
        audit.onErase.withLock { $0.append { [weak self] in self?.erase($0, $1, bundleID: $2) } }
    }

    /// Takes out testers who go by one of the ids.
    private func erase(_ ids: Set<String>, _ erasure: AuditEvent, bundleID: String) {
        state.withLock { state in
            for (name, record) in state.records where name.bundleID == bundleID {
                guard let (next, event) = record.erasing(ids, erasure, audit.identity.functions) else { continue }
                state.revision += 1
                state.records[name] = next
                audit.append([event])
            }
        }
    }

    /// How often something was published or stood elsewhere.
    var revision: Int64 { state.withLock(\.revision) }

    package func campaigns(of bundleID: String, after id: String?, limit: Int) async throws(StoreError) -> [CampaignRecord] {
        let all = state.withLock { $0.records.values.filter { $0.bundleID == bundleID && (id == nil || $0.id > id!) } }
        return Array(all.sorted { $0.id < $1.id }.prefix(limit))
    }

    package func campaign(id: String, bundleID: String) async throws(StoreError) -> CampaignRecord? {
        state.withLock { $0.records[Name(bundleID: bundleID, id: id)] }
    }

    package func publications(
        of id: String,
        bundleID: String,
        before number: Int?,
        limit: Int
    ) async throws(StoreError) -> [CampaignPublication] {
        let all = state.withLock { $0.publications[Name(bundleID: bundleID, id: id)] ?? [] }
        return Array(all.filter { $0.number < number ?? .max }.reversed().prefix(limit))
    }

    package func publication(_ number: Int, of id: String, bundleID: String) async throws(StoreError) -> CampaignPublication? {
        state.withLock { $0.publications[Name(bundleID: bundleID, id: id)]?.first { $0.number == number } }
    }

    package func activity(
        of id: String,
        bundleID: String,
        before number: Int64?,
        hasReason: Bool,
        limit: Int
    ) async throws(StoreError) -> [CampaignActivity] {
        let all = state.withLock { $0.activity[Name(bundleID: bundleID, id: id)] ?? [] }
        return Array(all.filter { $0.number < number ?? .max && !(hasReason && $0.act.reason.isEmpty) }.reversed().prefix(limit))
    }

    package func live(bundleIDs: Set<String>) async throws(StoreError) -> [LiveCampaign] {
        let records = state.withLock { $0.records.values.filter { bundleIDs.contains($0.bundleID) } }
        return records.sorted { ($0.bundleID, $0.id) < ($1.bundleID, $1.id) }.compactMap { record in
            guard let published = record.published, record.status.standing != .ended else { return nil }
            return LiveCampaign(
                id: record.id, bundleID: record.bundleID, number: published.number, document: published.document,
                standing: record.status.standing)
        }
    }

    package func ended(bundleIDs: Set<String>) async throws(StoreError) -> [String: Set<String>] {
        let ended = state.withLock {
            $0.records.values.filter { bundleIDs.contains($0.bundleID) && $0.status.standing == .ended }
        }
        return Dictionary(grouping: ended, by: \.bundleID).mapValues { Set($0.map(\.id)) }
    }

    package func rehearsed(bundleIDs: Set<String>) async throws(StoreError) -> [RehearsedCampaign] {
        let records = state.withLock { $0.records.values.filter { bundleIDs.contains($0.bundleID) } }
        return records.filter { !$0.testers.isEmpty && $0.status.standing != .ended }
            .sorted { ($0.bundleID, $0.id) < ($1.bundleID, $1.id) }
            .map { record in
                RehearsedCampaign(
                    id: record.id, bundleID: record.bundleID, draft: record.draft?.document, number: record.latest,
                    published: record.published?.document, testers: record.testers)
            }
    }

    package func testers(withIDs ids: Set<String>, bundleID: String) async throws(StoreError) -> [NamedTester] {
        state.withLock { $0.records.values.filter { $0.bundleID == bundleID } }.sorted { $0.id < $1.id }.flatMap { record in
            record.testers.filter { ids.contains($0.id) }.map { (record.id, $0) }
        }
    }

    package func counted(of bundleID: String) async throws(StoreError) -> [CountedCampaign] {
        state.withLock { $0.counted.values.filter { $0.bundleID == bundleID } }.sorted { $0.id < $1.id }
    }

    package func write(
        _ counted: CountedCampaign,
        after last: Instant?,
        audit events: [AuditEvent]
    ) async throws(StoreError) -> Bool {
        state.withLock { state in
            let name = Name(bundleID: counted.bundleID, id: counted.id)
            guard state.counted[name]?.countedAt == last else { return false }
            state.counted[name] = counted
            audit.append(events)
            return true
        }
    }

    package func write(
        _ record: CampaignRecord,
        activity: [CampaignActivity],
        audit events: [AuditEvent]
    ) async throws(StoreError) -> CampaignOutcome {
        state.withLock { state in
            let name = Name(bundleID: record.bundleID, id: record.id)
            let now = state.records[name]
            guard let edit = CampaignEdit(record, after: now) else { return .changedMeanwhile(now) }
            if edit.isPublishing { state.publications[name, default: []].append(record.published!) }
            if edit.needsReload { state.revision += 1 }
            state.records[name] = edit.record
            for entry in activity {
                let number = Int64(state.activity[name, default: []].count + 1)
                state.activity[name, default: []].append(
                    CampaignActivity(number: number, step: entry.step, act: entry.act, revision: entry.revision))
            }
            audit.append(events)
            return .written
        }
    }
}
