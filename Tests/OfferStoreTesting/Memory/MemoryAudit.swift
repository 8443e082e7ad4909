package import EligibilityRules
import Foundation
package import OfferStore
import Synchronization

/// An audit log that is forgotten with the process: what the contract means, in its simplest form.
package final class MemoryAudit: AuditStore {
    /// A row, with what writes it as bytes.
    struct Line: Sendable {
        let id: Int64
        let chain: Int64
        let link: AuditLink
        let event: AuditEvent
        let encode: @Sendable (AuditRowEncoder, Int64) -> Void
    }

    struct Content: AuditSource, AuditSealRows {
        var lines: [AuditTable: [Line]] = [:]
        var allChains: [AuditChain] = []
        var allMarks = AuditTable.allCases.map { AuditTableMark(table: $0, removed: 0) }
        var notes: [String] = []
        var state: AuditState
        var signer: AuditSigner?
    }

    let identity: AuditIdentity
    let content: Mutex<Content>
    /// Receives what to blank beside the log.
    let onErase = Mutex<[@Sendable (Set<String>, AuditEvent, _ bundleID: String) -> Void]>([])

    package init() {
        identity = try! AuditIdentity(.testing) { try $0() }
        content = Mutex(Content(state: AuditState(identity)))
    }

    package var origin: String { identity.origin }

    /// Adds a row; its number counts on.
    func append(_ table: AuditTable, _ event: AuditEvent, _ encode: @escaping @Sendable (AuditRowEncoder, Int64) -> Void) {
        content.withLock { content in
            if content.state.chains[table] == nil {
                let id = try! identity.functions.randomBytes(AuditChain.idLength)
                let chain = AuditChain(
                    number: Int64(content.allChains.count + 1), id: id, writer: identity.writer, table: table, openedAt: event.at)
                content.allChains.append(chain)
                content.state.chains.open(chain, identity.functions)
            }
            let mark = content.allMarks.first { $0.table == table }!
            let id = (content.lines[table]?.last?.id ?? mark.removed) + 1
            let row = AuditRowEncoder()
            encode(row, id)
            let (chain, link) = content.state.chains.extend(table, id: id, row, identity.functions)
            content.lines[table, default: []].append(Line(id: id, chain: chain, link: link, event: event, encode: encode))
        }
    }

    func append(_ events: [AuditEvent]) {
        for event in events { append(.events, event) { [keyed = identity.keyed] in $0.encode(event, id: $1, keyed) } }
    }

    /// Removes the first rows of a table, and seals that.
    func remove(_ table: AuditTable, count: Int) {
        guard count > 0 else { return }
        content.withLock { content in
            for line in content.lines[table, default: []].prefix(count) {
                let index = content.allChains.firstIndex { $0.number == line.chain }!
                let chain = content.allChains[index]
                let removed = AuditPosition(rows: (chain.removed?.rows ?? 0) + 1, lastRow: line.id, link: line.link)
                content.allChains[index] = AuditChain(
                    number: chain.number, id: chain.id, writer: chain.writer, table: table, openedAt: chain.openedAt,
                    removed: removed)
                content.state.sealing.didRemove(removed, of: content.allChains[index])
                content.allMarks[content.allMarks.firstIndex { $0.table == table }!] = AuditTableMark(
                    table: table, removed: line.id)
            }
            content.lines[table]?.removeFirst(count)
            _ = try! content.seal(at: Instant(milliseconds: 0))
        }
    }

    package func record(_ events: [AuditEvent]) async throws(StoreError) { append(events) }

    package func count(_ table: AuditTable, from: Instant?, until: Instant?) async throws(StoreError) -> Int64 {
        content.withLock { content in
            let times = content.lines[table, default: []].map(\.event.at)
            return Int64(times.count { time in from.map { time >= $0 } ?? true && until.map { time < $0 } ?? true })
        }
    }

    package func slices(of table: AuditTable, latest: Int64?) async throws(StoreError) -> AuditSlices {
        let lines = content.withLock { $0.lines[table, default: []] }
        guard let first = lines.first, let last = lines.last else { return AuditSlices(0..<0, every: 1) }
        let start = max(first.id, latest.map { last.id + 1 - $0 } ?? first.id)
        return AuditSlices(
            start..<last.id + 1, every: 2, since: start > first.id ? lines.first { $0.id >= start }!.event.at : nil)
    }

    package func tally(_ table: AuditTable, since minute: Int64) async throws(StoreError) -> AuditTally {
        guard table != .events else { return AuditTally([], since: minute) }
        let events = content.withLock { $0.lines[table, default: []].map(\.event) }
        let parts = events.filter { $0.at.milliseconds / 60_000 >= minute }.flatMap { event in
            let offers = try! JSONDecoder().decode([[String]].self, from: Data((event.object.after ?? "").utf8))
            return offers.map { offer in
                AuditTally.Part(
                    minute: event.at.milliseconds / 60_000, partition: event.partition!,
                    outcome: table == .signatures ? event.object.id! : offer[2], offers: 1)
            }
        }
        return AuditTally(parts, since: minute)
    }

    /// Rows and seals only, and of rows what a contract asks for.
    package func export(_ body: @escaping @Sendable (_ line: [UInt8]) throws -> Void) async throws(StoreError) {
        let content = content.withLock { $0 }
        for table in AuditTable.allCases {
            for line in content.lines[table, default: []] {
                try! body(Array(#"{"type":"row","table":"\#(table.rawValue)","id":\#(line.id)}"#.utf8))
            }
        }
        for number in content.notes.indices { try! body(Array(#"{"type":"seal","number":\#(number + 1)}"#.utf8)) }
    }

    /// Blanks what is shown: what is hashed is the digest in any case.
    package func erase(_ ids: Set<String>, bundleID: String, audit event: AuditEvent) async throws(StoreError) -> Int {
        let count = content.withLock { content in
            var count = 0
            for table in AuditTable.allCases {
                for (index, line) in content.lines[table, default: []].enumerated() {
                    var event = line.event
                    let names = [event.personal.customerID, event.personal.transactionID]
                    guard event.partition?.bundleID == bundleID, names.contains(where: { $0.map(ids.contains) ?? false })
                    else { continue }
                    event.personal = .none
                    content.lines[table]![index] = Line(
                        id: line.id, chain: line.chain, link: line.link, event: event, encode: line.encode)
                    count += 1
                }
            }
            return count
        }
        for erase in onErase.withLock({ $0 }) { erase(ids, event, bundleID) }
        append([event])
        return count
    }

    package func events(naming ids: Set<String>, partition: AppPartition, in slice: AuditSlice) async throws(StoreError)
        -> [AuditEvent]
    {
        content.withLock { content in
            content.lines[.events, default: []].filter { line in
                slice.bounds.contains(line.id) && line.event.partition == partition
                    && [line.event.personal.customerID, line.event.personal.transactionID].contains {
                        $0.map(ids.contains) ?? false
                    }
            }.map(\.event)
        }
    }

    package func use(_ signer: AuditSigner?) { content.withLock { $0.signer = signer } }

    package func seal(at now: Instant, certifying key: [UInt8]?) async throws(StoreError) -> String? {
        let result = content.withLock { content in
            Result {
                var draft = content
                if let key { draft.state.sealing.certify(key) }
                let note = try draft.seal(at: now)
                content = draft
                return note
            }
        }
        do { return try result.get() } catch { throw error as? StoreError ?? StoreError(.unavailable, "\(error)") }
    }

    package func latestSeal() async throws(StoreError) -> String? { content.withLock(\.notes.last) }

    package func verify(_ trust: AuditTrust, heads: [SignedNote]) async throws(StoreError) -> AuditReport {
        let content = content.withLock { $0 }
        return try! AuditVerification.run(content, origin: origin, trust: trust, heads: heads, identity.functions)
    }

    package func walk(_ trust: AuditTrust) -> AuditWalk { AuditWalk(origin: origin, trust: trust, identity.functions) }

    package func step(_ walk: AuditWalk, limit: Int64) async throws(StoreError) -> AuditWalk {
        var walk = walk
        try! walk.step(content.withLock { $0 }, limit: limit)
        return walk
    }

    package func entries(
        _ table: AuditTable,
        _ filter: AuditFilter,
        before: Int64?,
        limit: Int
    ) async throws(StoreError) -> [AuditEntry] {
        content.withLock { content in
            content.lines[table, default: []].reversed()
                .filter { $0.id < before ?? .max && filter.takes($0.event) }.prefix(limit)
                .map { AuditEntry(table: table, id: $0.id, event: $0.event, link: $0.link) }
        }
    }
}

extension MemoryAudit.Content {
    fileprivate mutating func seal(at now: Instant) throws -> String? {
        guard let signer else { return nil }
        guard let note = try state.sealing.seal(state.chains, in: self, with: signer, at: now) else { return nil }
        notes.append(note)
        return note
    }

    func chains() -> [AuditChain] { allChains }

    var isDense: Bool { true }

    func marks() -> [AuditTableMark] { allMarks }

    func lastRemoved(of chain: AuditChain) -> Int64 { allMarks.first { $0.table == chain.table }!.removed }

    func nonceFault() -> AuditFault? { nil }

    func nonceFault(of rows: ClosedRange<Int64>) -> AuditFault? { nil }

    func decisionFault() -> AuditFault? { nil }

    func lastRow(of table: AuditTable) -> Int64 { lines[table]?.last?.id ?? 0 }

    func forEachSeal(after number: Int64, limit: Int64, _ body: (_ number: Int64, _ note: String) -> Void) {
        for (index, note) in notes.enumerated().dropFirst(Int(number)).prefix(Int(limit)) { body(Int64(index + 1), note) }
    }

    func forEachRow(
        of table: AuditTable,
        _ ids: ClosedRange<Int64>,
        limit: Int64,
        _ body: (_ id: Int64, _ chain: Int64, _ link: UnsafeRawBufferPointer, _ row: AuditRowEncoder?) throws -> Void
    ) throws {
        let row = AuditRowEncoder()
        for line in lines[table, default: []].filter({ ids.contains($0.id) }).prefix(Int(limit)) {
            line.encode(row, line.id)
            try line.link.bytes.withUnsafeBytes { link in try body(line.id, line.chain, link, row) }
        }
    }

    func latestSeal() -> (number: Int64, note: String)? { notes.last.map { (Int64(notes.count), $0) } }

    func seal(_ number: Int64) -> String? { notes.indices.contains(Int(number) - 1) ? notes[Int(number) - 1] : nil }

    func lastRow(of table: AuditTable, chain: Int64, from id: Int64) -> (id: Int64, link: AuditLink)? {
        lines[table]?.last { $0.id >= id && $0.chain == chain }.map { ($0.id, $0.link) }
    }

    // Kept by the sealer.
    func insert(_ seal: AuditSeal, note: String) {}
}
