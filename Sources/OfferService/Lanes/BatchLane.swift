import NIOCore
import OfferStore

/// An event loop's way to another thread: what a loop turn submits goes over as one batch, and comes back as one.
///
/// Confined to its loop. One hand-over per turn instead of one per request keeps both threads off each other's core. While more
/// requests wait for their turn, a small batch grows over several turns.
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
    /// When the batches went over whose outcomes are not back, the oldest first.
    private var underWay = CircularBuffer<(since: NIODeadline, count: Int)>()
    /// Called after the replies to a batch.
    var replied: (() -> Void)?

    /// - Parameters:
    ///   - maxPending: how many submissions are sent before the turn is at its end.
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

    /// Whether the other thread has two batches that are large together, the older for less than a turn: a loop that goes on would only
    /// slow it down. It goes on beside a thread that waits for a slow disk.
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

    /// Sends what a turn submitted, unless the batch grows on: it is small, and another turn follows.
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
