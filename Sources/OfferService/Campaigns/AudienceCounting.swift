import EligibilityRules
import OfferStore
import Synchronization

/// One count of an audience over all stored customers of an app, under way or done.
final class AudienceCounting: Sendable {
    private struct State {
        var result: Result<AudienceCount, any Error>?
        var counted = 0
        var total: Int?
        var askedAt: Instant
    }

    // So that signatures get their turn between two of them.
    private static let page = 500

    let startedAt: Instant
    private let funnel: AudienceFunnel
    private let app: App
    private let scan: any CustomerScan
    private let state: Mutex<State>

    init(_ funnel: AudienceFunnel, of app: App, _ scan: any CustomerScan, at now: Instant) {
        self.funnel = funnel
        self.app = app
        self.scan = scan
        startedAt = now
        state = Mutex(State(askedAt: now))
    }

    /// How far it is.
    var progress: (counted: Int, of: Int?) { state.withLock { ($0.counted, $0.total) } }

    /// What it has come to; nil while it is under way.
    var result: Result<AudienceCount, any Error>? { state.withLock(\.result) }

    /// When somebody asked for it last.
    var askedAt: Instant { state.withLock(\.askedAt) }

    /// Somebody asks for it.
    func ask(at now: Instant) { state.withLock { $0.askedAt = now } }

    /// Counts in as many parts at once as there are processors.
    func run(parts: Int, on executor: BoundedExecutor) async {
        let result: Result<AudienceCount, any Error>
        do {
            let total = try await scan.customerCount(bundleID: app.partition)
            state.withLock { $0.total = total }
            var sum = AudienceCount(stages: funnel.stages.count)
            try await withThrowingTaskGroup(of: AudienceCount.self) { group in
                for places in Self.places(parts) {
                    group.addTask(executorPreference: executor) { try await self.count(in: places) }
                }
                for try await part in group { sum.add(part) }
            }
            result = .success(sum)
        } catch {
            result = .failure(error)
        }
        state.withLock { $0.result = result }
    }

    private func count(in places: ClosedRange<Int64>) async throws -> AudienceCount {
        let decoder = HistoryDecoder()
        var count = AudienceCount(stages: funnel.stages.count)
        var rest: ClosedRange<Int64>? = places
        while let part = rest {
            try Task.checkCancellation()
            let found = try await scan.customers(
                bundleID: app.partition, in: part, limit: Self.page, whole: funnel.needsWholeHistory)
            for customer in found {
                let stored = decoder.history(customer.record)
                let facts =
                    stored.isDamaged
                    ? nil : CustomerFacts(of: Customer(stored, of: app, now: startedAt), historyUpdatedAt: stored.updatedAt)
                count.add(customer.customerID, facts, funnel)
            }
            state.withLock { $0.counted += found.count }
            guard found.count == Self.page, let last = found.last, last.place < part.upperBound else { break }
            rest = (last.place + 1)...part.upperBound
        }
        return count
    }

    /// Equal parts of all places.
    private static func places(_ parts: Int) -> [ClosedRange<Int64>] {
        let width = UInt64.max / UInt64(parts)
        return (0..<parts).map { part in
            let first = Int64.min &+ Int64(bitPattern: UInt64(part) &* width)
            return first...(part == parts - 1 ? Int64.max : first &+ Int64(bitPattern: width) &- 1)
        }
    }
}
