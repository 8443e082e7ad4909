package import NIOCore
package import OfferStore

/// The ways from an event loop to the store and to other threads. It is confined to its event loop.
package final class StoreLane {
    package let eventLoop: any EventLoop
    /// Decides in which order the loop works on requests.
    package let queue: FairQueue
    /// The pace of refusals: the first for callers with an access key or a token, the second for clients without one.
    package let (refusals, unauthenticatedRefusals) = (RefusalPace(), RefusalPace())
    private let ledger: BatchLane<LedgerSubmission, LedgerOutcome>
    private let histories: BatchLane<HistoryQuery, HistoryRecord>
    private let decoder = HistoryDecoder()
    private let own: LoopExecutor
    private let examination: BoundedExecutor

    /// - Parameter examination: the threads that decode and verify what callers send.
    package init(eventLoop: any EventLoop, ledger: any Ledger, histories: any HistoryStore, examination: BoundedExecutor) {
        self.eventLoop = eventLoop
        let queue = FairQueue(eventLoop: eventLoop)
        self.queue = queue
        // With batches of 64, the ledger already writes the first requests of a long turn while the loop works on the others. If
        // requests have 20 offers, a turn has room for only a few of them. Batches therefore grow over several turns, because a
        // commit for so few requests would cost a tenth of the throughput.
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

    /// Records the rows of one request. Replies on the event loop once the rows are durable.
    package func record(
        _ submission: LedgerSubmission,
        reply: @escaping (Result<LedgerOutcome, StoreError>) -> Void
    ) {
        ledger.send(submission, reply: reply)
    }

    /// Looks up the history of a customer. Replies on the event loop.
    func find(_ query: HistoryQuery, reply: @escaping (Result<StoredHistory, StoreError>) -> Void) {
        histories.send(query) { [decoder] in reply($0.map(decoder.history)) }
    }

    /// Runs an operation that mostly waits and hardly computes. Replies on the event loop.
    package func perform<Value: Sendable>(
        _ operation: @escaping @Sendable () async throws -> Value,
        reply: @escaping (Result<Value, any Error>) -> Void
    ) {
        run(on: own, operation, reply)
    }

    /// Runs a long operation on another thread, and replies on the event loop. Fails at once if too many operations are under
    /// way.
    package func examine<Value: Sendable>(
        _ operation: @escaping @Sendable () async throws -> Value,
        reply: @escaping (Result<Value, any Error>) -> Void
    ) {
        perform(on: examination, operation, reply: reply)
    }

    /// Runs an operation on an executor, and replies on the event loop. Fails at once if too many operations are under way there.
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

/// Delays the refusals of an event loop, so that clients that retry at once do not take the loop from other callers.
///
/// The first thousand refusals are sent at once, and after them one in a millisecond. This takes a few percent of a processor.
package final class RefusalPace {
    package static let burst: Int64 = 1000
    /// The maximum number of refusals that wait.
    ///
    /// The last of them waits for a second.
    package static let mostWaiting: Int64 = 1000

    private static let limit = RateLimit(requestsPerSecond: 1000, burst: burst + mostWaiting)

    private let state = RateState()

    package init() {}

    /// How long the next refusal must wait; nil if too many refusals wait already.
    package func delay(at now: NIODeadline = .now()) -> TimeAmount? {
        let decision = RefusalPace.limit.admit(state, now: Int64(now.uptimeNanoseconds))
        guard decision.isAllowed else { return nil }
        return .milliseconds(max(0, RefusalPace.mostWaiting - decision.remaining))
    }
}
