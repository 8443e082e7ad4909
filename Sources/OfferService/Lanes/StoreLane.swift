package import NIOCore
package import OfferStore

/// An event loop's ways to the store, and to other threads. Confined to its loop.
package final class StoreLane {
    package let eventLoop: any EventLoop
    /// The order of the loop's requests.
    package let queue: FairQueue
    /// The refusals of callers with an access key or a token, and of clients without.
    package let (refusals, unauthenticatedRefusals) = (RefusalPace(), RefusalPace())
    private let ledger: BatchLane<LedgerSubmission, LedgerOutcome>
    private let histories: BatchLane<HistoryQuery, HistoryRecord>
    private let decoder = HistoryDecoder()
    private let own: LoopExecutor
    private let examination: BoundedExecutor

    /// - Parameter examination: decodes and verifies what callers send.
    package init(eventLoop: any EventLoop, ledger: any Ledger, histories: any HistoryStore, examination: BoundedExecutor) {
        self.eventLoop = eventLoop
        let queue = FairQueue(eventLoop: eventLoop)
        self.queue = queue
        // With batches of 64, the ledger writes the first requests of a long turn while the loop goes on with the others.
        // Batches grow over several turns because a turn has room for only a few requests with 20 offers. A commit for so few of
        // them would cost a tenth of the throughput.
        let rows = BatchLane(
            eventLoop: eventLoop, maxPending: 64, maxTurns: 4, isBehind: { [weak queue] in queue?.isBehind ?? false }
        ) {
            ledger.record($0, completion: $1)
        }
        queue.turnEnded = { rows.endTurn() }
        queue.isCongested = { rows.isCongested }
        rows.replied = { [weak queue] in queue?.resume() }
        self.ledger = rows
        // Reads cost less in large batches.
        self.histories = BatchLane(eventLoop: eventLoop, maxPending: 128) { histories.find($0, completion: $1) }
        own = LoopExecutor(eventLoop: eventLoop)
        self.examination = examination
    }

    /// Records the rows of one request; replies on the loop, once they are durable.
    package func record(
        _ submission: LedgerSubmission,
        reply: @escaping (Result<LedgerOutcome, StoreError>) -> Void
    ) {
        ledger.send(submission, reply: reply)
    }

    /// Looks a customer's history up; replies on the loop.
    func find(_ query: HistoryQuery, reply: @escaping (Result<StoredHistory, StoreError>) -> Void) {
        histories.send(query) { [decoder] in reply($0.map(decoder.history)) }
    }

    /// Runs an operation that mostly waits and hardly computes, and replies on the loop.
    package func perform<Value: Sendable>(
        _ operation: @escaping @Sendable () async throws -> Value,
        reply: @escaping (Result<Value, any Error>) -> Void
    ) {
        run(on: own, operation, reply)
    }

    /// Runs an operation that takes long on another thread, and replies on the loop; fails at once while too many are under way.
    package func examine<Value: Sendable>(
        _ operation: @escaping @Sendable () async throws -> Value,
        reply: @escaping (Result<Value, any Error>) -> Void
    ) {
        perform(on: examination, operation, reply: reply)
    }

    /// Runs an operation on an executor, and replies on the loop; fails at once while too many are under way there.
    package func perform<Value: Sendable>(
        on executor: BoundedExecutor,
        _ operation: @escaping @Sendable () async throws -> Value,
        reply: @escaping (Result<Value, any Error>) -> Void
    ) {
        do { try executor.enter() } catch { return reply(.failure(error)) }
        run(on: executor, operation) { result in
            executor.leave()
            reply(result)
        }
    }

    private func run<Value: Sendable>(
        on executor: any TaskExecutor,
        _ operation: @escaping @Sendable () async throws -> Value,
        _ reply: @escaping (Result<Value, any Error>) -> Void
    ) {
        let reply = NIOLoopBound(reply, eventLoop: eventLoop)
        Task(executorPreference: executor) { [eventLoop] in
            let result: Result<Value, any Error>
            do { result = .success(try await operation()) } catch { result = .failure(error) }
            if eventLoop.inEventLoop { reply.value(result) } else { eventLoop.execute { reply.value(result) } }
        }
    }
}

/// Spaces out the refusals of an event loop, so that clients who retry at once do not take the loop from other callers.
///
/// A thousand refusals are sent at once, and after that one in a millisecond, which takes a few percent of a processor.
package final class RefusalPace {
    package static let burst: Int64 = 1000
    /// The maximum number of refusals that wait.
    ///
    /// The last of them waits for a second.
    package static let mostWaiting: Int64 = 1000

    private static let limit = RateLimit(requestsPerSecond: 1000, burst: burst + mostWaiting)

    private let state = RateState()

    package init() {}

    /// Returns how long the next refusal must wait; nil while too many wait.
    package func delay(at now: NIODeadline = .now()) -> TimeAmount? {
        let decision = RefusalPace.limit.admit(state, now: Int64(now.uptimeNanoseconds))
        guard decision.isAllowed else { return nil }
        return .milliseconds(max(0, RefusalPace.mostWaiting - decision.remaining))
    }
}
