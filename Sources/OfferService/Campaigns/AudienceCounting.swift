import EligibilityRules
import OfferStore
import Synchronization

/// One counting of an audience over all stored customers of an app.
struct AudienceCounting: Sendable {
    private final class Done: Sendable {
        let count = Atomic(0)
    }

    // So that signatures get their turn between two of them.
    private static let page = 500

    let funnel: AudienceFunnel
    /// In one environment.
    let app: App
    let scan: any CustomerScan
    let asOf: Instant
    /// Into how many parts the customers are divided, to be counted at once.
    let parts: Int

    /// Counts everything. Throws a `StoreError`, and when it is cancelled.
    ///
    /// - Parameter progress: is told how far it has come.
    func count(progress: @escaping @Sendable (CountingProgress) -> Void) async throws -> AudienceCount {
        let (total, done) = (try await scan.customerCount(bundleID: app.partition), Done())
        progress(CountingProgress(done: 0, total: total))
        var sum = AudienceCount(stages: funnel.stages.count)
        try await withThrowingTaskGroup(of: AudienceCount.self) { group in
            for places in places {
                group.addTask {
                    try await count(in: places) { found in
                        let now = done.count.add(found, ordering: .relaxed).newValue
                        progress(CountingProgress(done: now, total: total))
                    }
                }
            }
            for try await part in group { sum.add(part) }
        }
        return sum
    }

    private func count(in places: ClosedRange<Int64>, _ found: (Int) -> Void) async throws -> AudienceCount {
        let decoder = HistoryDecoder()
        var count = AudienceCount(stages: funnel.stages.count)
        var rest: ClosedRange<Int64>? = places
        while let part = rest {
            try Task.checkCancellation()
            let customers = try await scan.customers(
                bundleID: app.partition, in: part, limit: Self.page, whole: funnel.needsWholeHistory)
            for customer in customers {
                let stored = decoder.history(customer.record)
                let facts =
                    stored.isDamaged
                    ? nil : CustomerFacts(of: Customer(stored, of: app, now: asOf), historyUpdatedAt: stored.updatedAt)
                count.add(customer.customerID, facts, funnel)
            }
            found(customers.count)
            guard customers.count == Self.page, let last = customers.last, last.place < part.upperBound else { break }
            rest = (last.place + 1)...part.upperBound
        }
        return count
    }

    /// Equal parts of all places.
    private var places: [ClosedRange<Int64>] {
        let width = UInt64.max / UInt64(parts)
        return (0..<parts).map { part in
            let first = Int64.min &+ Int64(bitPattern: UInt64(part) &* width)
            return first...(part == parts - 1 ? Int64.max : first &+ Int64(bitPattern: width) &- 1)
        }
    }
}
