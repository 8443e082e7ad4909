import EligibilityRules
import Synchronization

@testable import OfferService

/// A wall clock and a time since boot that the test sets, and sleepers that only the test wakes.
final class ManualClock: Sendable {
    private struct Sleepers {
        var asleep: [Int: (end: Int64, continuation: CheckedContinuation<Void, any Error>)] = [:]
        var count = 0
    }

    let wall: Atomic<Int64>
    let uptime = Atomic<Int64>(0)
    private let sleepers = Mutex(Sleepers())
    private let sleeps = AsyncStream.makeStream(of: Duration.self)

    init(_ wall: Int64) { self.wall = Atomic(wall) }

    var environment: SystemEnvironment {
        SystemEnvironment(
            now: { self.now }, uptime: { self.uptime.load(ordering: .relaxed) }, sleep: { try await self.sleep($0) },
            randomBytes: SystemEnvironment.live.randomBytes)
    }

    /// What the wall clock shows.
    var now: Instant { Instant(milliseconds: wall.load(ordering: .relaxed)) }

    /// Lets time pass, and wakes who has slept long enough.
    func pass(_ milliseconds: Int64) {
        wall.add(milliseconds, ordering: .relaxed)
        let now = uptime.add(milliseconds, ordering: .relaxed).newValue
        let due = sleepers.withLock { sleepers in
            let due = sleepers.asleep.filter { $0.value.end <= now }
            for id in due.keys { sleepers.asleep[id] = nil }
            return due.values.map(\.continuation)
        }
        for continuation in due { continuation.resume() }
    }

    /// Changes what the wall clock shows, and no time passes.
    func leap(_ milliseconds: Int64) { wall.add(milliseconds, ordering: .relaxed) }

    /// Waits until a sleep begins, and says for how long; returns each sleep once. Nil if the test is over.
    func nextSleep() async -> Duration? {
        var iterator = sleeps.stream.makeAsyncIterator()
        return await iterator.next()
    }

    private func sleep(_ duration: Duration) async throws {
        let id = sleepers.withLock { sleepers in
            sleepers.count += 1
            return sleepers.count
        }
        let end = uptime.load(ordering: .relaxed) + Int64(duration / .milliseconds(1))
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = sleepers.withLock { sleepers in
                    // A sleeper that is cancelled from here on is woken by the handler.
                    if !Task.isCancelled { sleepers.asleep[id] = (end, continuation) }
                    return Task.isCancelled && sleepers.asleep[id] == nil
                }
                guard !isCancelled else { return continuation.resume(throwing: CancellationError()) }
                sleeps.continuation.yield(duration)
            }
        } onCancel: {
            let sleeper = sleepers.withLock { $0.asleep.removeValue(forKey: id) }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }
}
