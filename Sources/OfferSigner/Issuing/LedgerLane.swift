import NIOCore
import OfferStore

/// One event loop's way into the ledger: what a loop turn produces goes in as one batch, and comes back as one.
///
/// Confined to its loop. One hand-over a turn instead of one a request keeps both threads off each other's core.
final class LedgerLane {
    typealias Reply = (Result<LedgerOutcome, StoreError>) -> Void

    // Unchecked: the replies cross threads only to come home; they are called on the loop alone.
    private final class Batch: @unchecked Sendable {
        var replies: [Reply] = []
    }

    // In a long turn the disk works on the first half while the loop signs the second.
    private static let mostWaiting = 32

    let eventLoop: any EventLoop
    private let ledger: any Ledger
    private var submissions: [LedgerSubmission] = []
    private var batch = Batch()

    init(eventLoop: any EventLoop, ledger: any Ledger) {
        self.eventLoop = eventLoop
        self.ledger = ledger
    }

    /// Records the rows of one request; the reply comes on the loop, once they are durable.
    func record(_ submission: LedgerSubmission, reply: @escaping Reply) {
        eventLoop.preconditionInEventLoop()
        if submissions.isEmpty {
            let lane = NIOLoopBound(self, eventLoop: eventLoop)
            eventLoop.execute { lane.value.flush() }
        }
        submissions.append(submission)
        batch.replies.append(reply)
        if submissions.count == LedgerLane.mostWaiting { flush() }
    }

    /// Runs something asynchronous and replies on the loop.
    func perform<Value: Sendable>(
        _ operation: @escaping @Sendable () async throws -> Value,
        reply: @escaping (Result<Value, any Error>) -> Void
    ) {
        eventLoop.makeFutureWithTask(operation).assumeIsolated().whenComplete(reply)
    }

    private func flush() {
        guard !submissions.isEmpty else { return }
        let (submissions, batch) = (submissions, batch)
        self.submissions = []
        self.batch = Batch()
        ledger.record(submissions) { [eventLoop] result in
            eventLoop.execute {
                switch result {
                case .success(let outcomes):
                    for (reply, outcome) in zip(batch.replies, outcomes) { reply(.success(outcome)) }
                case .failure(let error):
                    for reply in batch.replies { reply(.failure(error)) }
                }
            }
        }
    }
}
