import NIOCore
import OfferStore

/// Sends work from an event loop to another thread, in batches.
///
/// What is submitted in one turn of the loop is sent as one batch, and its answers come back as one batch. If each request were
/// sent by itself, the two threads would disturb each other. If more requests wait for their turn, a small batch grows over
/// several turns.
/// It is confined to its event loop.
final class BatchLane<Submission: Sendable, Outcome: Sendable> {
    typealias Reply = (Result<Outcome, StoreError>) -> Void
    /// Takes a batch. Calls back from any thread, with one outcome for each submission.
    typealias Submit = ([Submission], @escaping @Sendable (Result<[Outcome], StoreError>) -> Void) -> Void

    private let eventLoop: any EventLoop
    private let maxPending: Int
    private let maxTurns: Int
    private let isBehind: () -> Bool
    private let now: () -> NIODeadline
    private let submit: Submit
    private var turns = 0
    private var submissions: [Submission] = []
    private var replies: [Reply] = []
    /// The batches whose outcomes have not come back yet, the oldest first, each with the time when it was sent and its size.
    private var underWay = CircularBuffer<(since: NIODeadline, count: Int)>()
    /// Is called after all replies to a batch.
    var replied: (() -> Void)?

    /// - Parameters:
    ///   - maxPending: the size at which a batch is sent without waiting for the end of the turn.
    ///   - maxTurns: the maximum number of turns over which a batch grows.
    ///   - isBehind: whether another turn follows. `endTurn` is called at its end.
    ///   - now: a clock that does not go back.
    init(
        eventLoop: any EventLoop,
        maxPending: Int,
        maxTurns: Int = 1,
        isBehind: @escaping () -> Bool = { false },
        now: @escaping () -> NIODeadline = NIODeadline.now,
        submit: @escaping Submit
    ) {
        self.eventLoop = eventLoop
        self.maxPending = maxPending
        self.maxTurns = maxTurns
        self.isBehind = isBehind
        self.now = now
        self.submit = submit
    }

    /// Whether the loop should pause, because the other thread has two or more batches to work on, which together are large.
    ///
    /// A loop that went on would only slow that thread down. If, however, the oldest batch was sent longer than a turn ago, the
    /// thread probably waits for a slow disk, and then the loop need not pause.
    var isCongested: Bool {
        underWay.count > 1 && underWay.lazy.map(\.count).reduce(0, +) >= maxPending
            && now() - underWay.first!.since < FairQueue.turn
    }

    /// Adds a submission to the batch. Replies on the event loop.
    func send(_ submission: Submission, reply: @escaping Reply) {
        eventLoop.preconditionInEventLoop()
        if submissions.isEmpty {
            let lane = NIOLoopBound(self, eventLoop: eventLoop)
            eventLoop.execute { lane.value.endTurn() }
        }
        submissions.append(submission)
        replies.append(reply)
        if submissions.count == maxPending { flush() }
    }

    /// Sends the batch at the end of a turn. A small batch is not sent yet if another turn follows in which it can grow.
    func endTurn() {
        guard !submissions.isEmpty else { return }
        turns += 1
        if turns >= maxTurns || submissions.count >= maxPending / 2 || !isBehind() { flush() }
    }

    private func flush() {
        turns = 0
        // The replies go along to the other thread only to come back to their own event loop.
        let (submissions, bound) = (submissions, NIOLoopBound(replies, eventLoop: eventLoop))
        self.submissions = []
        replies = []
        underWay.append((now(), submissions.count))
        let lane = NIOLoopBound(self, eventLoop: eventLoop)
        submit(submissions) { result in
            bound.eventLoop.execute {
                lane.value.underWay.removeFirst()
                defer { lane.value.replied?() }
                switch result {
                case .success(let outcomes):
                    for (reply, outcome) in zip(bound.value, outcomes) { reply(.success(outcome)) }
                case .failure(let error):
                    for reply in bound.value { reply(.failure(error)) }
                }
            }
        }
    }
}
