import NIOCore
import OfferStore

/// An event loop's way to another thread.
///
/// What is submitted in one turn of the loop is sent as one batch, and answered as one.
/// It is confined to its loop. One batch per turn, instead of one submission per request, keeps the two threads from disturbing
/// each other. While more requests wait for their turn, a small batch grows over several turns.
final class BatchLane<Submission: Sendable, Outcome: Sendable> {
    typealias Reply = (Result<Outcome, StoreError>) -> Void
    /// Takes a batch and calls back from any thread, with one outcome per submission.
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
    /// The batches whose outcomes are not back yet, the oldest first: when each was sent, and its size.
    private var underWay = CircularBuffer<(since: NIODeadline, count: Int)>()
    /// Called after the replies to a batch.
    var replied: (() -> Void)?

    /// - Parameters:
    ///   - maxPending: the size at which a batch is sent before the end of the turn.
    ///   - maxTurns: over how many turns a batch grows at most.
    ///   - isBehind: whether another turn follows, at whose end `endTurn` is called.
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

    /// Whether the loop should pause, because the other thread is working on two batches or more that are large together.
    ///
    /// A loop that went on would only slow that thread down. If the oldest batch was sent longer than a turn ago, the thread
    /// probably waits for a slow disk, and the loop need not pause.
    var isCongested: Bool {
        underWay.count > 1 && underWay.lazy.map(\.count).reduce(0, +) >= maxPending
            && now() - underWay.first!.since < FairQueue.turn
    }

    /// Sends a submission; replies on the loop.
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

    /// Sends the batch at the end of a turn, unless it is small and another turn follows, in which it can grow.
    func endTurn() {
        guard !submissions.isEmpty else { return }
        turns += 1
        if turns >= maxTurns || submissions.count >= maxPending / 2 || !isBehind() { flush() }
    }

    private func flush() {
        turns = 0
        // The replies cross threads only to return to their loop.
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
