import Synchronization

/// One round of a background job that asks the App Store about items that are due, a few at a time.
///
/// The store claims each item before the question, so that only one of several processes asks about it.
struct ClaimRound<Item: Sendable>: Sendable {
    /// How a round ended.
    enum End: Sendable {
        /// Nothing more is due.
        case done
        /// More items may be due, because the limit was reached.
        case unfinished
        /// The App Store does not answer at the moment, so the remaining items wait for a later round.
        case putOff
    }

    /// How long a claim lasts, in ms.
    ///
    /// That is longer than a batch takes. If a process dies, other processes can claim its items after this time.
    static var claimTime: Int64 { 600_000 }
    private static var batch: Int { 16 }

    /// The time since boot in ms.
    let uptime: @Sendable () -> Int64
    /// The number of concurrent questions; read anew for each claim.
    var width: @Sendable () -> Int = { 8 }
    /// Claims up to `limit` due items, the longest due first.
    let claim: @Sendable (_ limit: Int) async throws -> [Item]
    /// Asks about one item. Returns false if the rest has to wait.
    let ask: @Sendable (Item) async throws -> Bool
    /// Gives up the claim of an item that was not asked about, so that the item is due as before.
    let release: @Sendable (Item) async throws -> Void

    /// Asks about items until `limit` of them were asked about; the last batch may exceed the limit.
    func run(limit: Int) async throws -> End {
        var asked = 0
        while asked < limit {
            // The first item goes alone, so that a round costs only one question while the App Store is unavailable.
            let end = uptime() + Self.claimTime
            let items = try await claim(asked == 0 ? 1 : Self.batch)
            guard !items.isEmpty else { return .done }
            guard try await ask(about: items, until: end) else { return .putOff }
            asked += items.count
        }
        return .unfinished
    }

    /// - Parameter end: when the claim ends. If this process was frozen until after that, another process may have claimed the
    ///   items.
    private func ask(about items: [Item], until end: Int64) async throws -> Bool {
        let claimed = Claimed(items)
        let result: Result<Bool, any Error>
        do { result = .success(try await ask(about: claimed, until: end)) } catch { result = .failure(error) }
        // In a task of its own, because the current task may be cancelled and the store would then release nothing.
        await Task { for item in claimed.rest where uptime() < end { try? await release(item) } }.value
        return try result.get()
    }

    private func ask(about claimed: Claimed, until end: Int64) async throws -> Bool {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            func askNext() {
                guard let (number, item) = claimed.next() else { return }
                group.addTask {
                    guard uptime() < end else { return false }
                    do {
                        let goesOn = try await ask(item)
                        claimed.finish(number)
                        return goesOn
                    } catch {
                        // The item stays claimed, so that the next round begins with another one.
                        if !Task.isCancelled { claimed.finish(number) }
                        throw error
                    }
                }
            }
            for _ in 0..<width() { askNext() }
            var goesOn = true
            while let isAnswered = try await group.next() {
                goesOn = goesOn && isAnswered
                if goesOn { askNext() }
            }
            return goesOn
        }
    }

    /// Items that were claimed together, and which of them were asked about.
    private final class Claimed: Sendable {
        private let items: Mutex<(waiting: ArraySlice<(Int, Item)>, open: [Int: Item])>

        init(_ items: [Item]) {
            let numbered = Array(items.enumerated().map { ($0.offset, $0.element) })
            self.items = Mutex((numbered[...], Dictionary(uniqueKeysWithValues: numbered)))
        }

        func next() -> (Int, Item)? { items.withLock { $0.waiting.popFirst() } }

        func finish(_ number: Int) { items.withLock { _ = $0.open.removeValue(forKey: number) } }

        /// The items that were not asked about, or whose question was cut off by a stop.
        var rest: [Item] { items.withLock { Array($0.open.values) } }
    }
}
