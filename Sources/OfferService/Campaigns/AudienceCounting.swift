import EligibilityRules
import OfferStore
import Synchronization

/// One count of an audience over all stored customers of an app.
struct AudienceCounting: Sendable {
    /// Adds up how many customers all parts have counted, and reports it.
    private final class Tally: Sendable {
        private let done = Atomic(0)
        private let total: Int
        private let progress: @Sendable (CountingProgress) -> Void

        init(of total: Int, _ progress: @escaping @Sendable (CountingProgress) -> Void) {
            self.total = total
            self.progress = progress
        }

        func add(_ found: Int) {
            progress(CountingProgress(done: done.add(found, ordering: .relaxed).newValue, total: total))
        }
    }

    // The pages are short, because signatures have their turn between two pages.
    private static let page = 500

    let funnel: AudienceFunnel
    /// The app in the environment whose customers are counted.
    let app: App
    let scan: any CustomerScan
    let asOf: Instant
    let asking: AskingCustomers
    /// The number of parts that are counted at once.
    let parts: Int

    /// Counts all customers. Throws a `StoreError`, or a `CancellationError` if the task is cancelled.
    ///
    /// - Parameter progress: is called after each page with how many customers were counted.
    func count(progress: @escaping @Sendable (CountingProgress) -> Void) async throws -> AudienceCount {
        let tally = Tally(of: try await scan.customerCount(partition: app.partition), progress)
        tally.add(0)
        var sum = AudienceCount(stages: funnel.stages.count, days: asking.days)
        try await withThrowingTaskGroup(of: AudienceCount.self) { group in
            for places in places { group.addTask { try await count(in: places, HistoryDecoder(), tally) } }
            for try await part in group { sum.add(part) }
        }
        sum.newcomers = max(0, asking.count(in: asking.days) - sum.storedAsking)
        return sum
    }

    private func count(
        in places: ClosedRange<Int64>,
        _ decoder: HistoryDecoder,
        _ tally: Tally
    ) async throws -> AudienceCount {
        var (count, rest) = (AudienceCount(stages: funnel.stages.count, days: asking.days), places)
        while true {
            try Task.checkCancellation()
            let customers = try await page(of: rest)
            add(customers, decoder, to: &count)
            tally.add(customers.count)
            guard customers.count == Self.page, let last = customers.last, last.place < rest.upperBound else { return count }
            rest = (last.place + 1)...rest.upperBound
        }
    }

    // It is not inlined, because the optimiser of Swift 6.3 crashes if it is.
    @inline(never)
    private func page(of places: ClosedRange<Int64>) async throws -> [PlacedCustomer] {
        try await scan.customers(partition: app.partition, in: places, limit: Self.page, whole: funnel.needsWholeHistory)
    }

    @inline(never)
    private func add(_ customers: [PlacedCustomer], _ decoder: HistoryDecoder, to count: inout AudienceCount) {
        for customer in customers {
            let stored = decoder.history(customer.record)
            let facts =
                stored.isDamaged
                ? nil : CustomerFacts(of: Customer(stored, of: app, now: asOf), historyUpdatedAt: stored.updatedAt)
            count.add(customer.customerID, facts, funnel, asking)
        }
    }

    /// The whole range of `PlacedCustomer.place`, divided into `parts` equal parts.
    private var places: [ClosedRange<Int64>] {
        let width = UInt64.max / UInt64(parts)
        return (0..<parts).map { part in
            let first = Int64.min &+ Int64(bitPattern: UInt64(part) &* width)
            return first...(part == parts - 1 ? Int64.max : first &+ Int64(bitPattern: width) &- 1)
        }
    }
}
