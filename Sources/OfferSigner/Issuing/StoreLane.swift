import NIOCore
import OfferStore

/// One event loop's ways into the store. Confined to its loop.
final class StoreLane {
    let eventLoop: any EventLoop
    private let ledger: BatchLane<LedgerSubmission, LedgerOutcome>
    private let histories: BatchLane<HistoryQuery, HistoryRecord>
    private let decoder = HistoryDecoder()

    init(eventLoop: any EventLoop, ledger: any Ledger, histories: any HistoryStore) {
        self.eventLoop = eventLoop
        // In a long turn the ledger writes the first requests while the loop goes on with the others; reads cost less in one piece.
        self.ledger = BatchLane(eventLoop: eventLoop, mostWaiting: 64) { ledger.record($0, completion: $1) }
        self.histories = BatchLane(eventLoop: eventLoop, mostWaiting: 128) { histories.find($0, completion: $1) }
    }

    /// Records the rows of one request; the reply comes on the loop, once they are durable.
    func record(
        _ submission: LedgerSubmission,
        reply: @escaping (Result<LedgerOutcome, StoreError>) -> Void
    ) {
        ledger.send(submission, reply: reply)
    }

    /// Looks a customer's history up; the reply comes on the loop.
    func find(_ query: HistoryQuery, reply: @escaping (Result<StoredHistory, StoreError>) -> Void) {
        histories.send(query) { [decoder] in reply($0.map(decoder.history)) }
    }

    /// Runs something asynchronous and replies on the loop.
    func perform<Value: Sendable>(
        _ operation: @escaping @Sendable () async throws -> Value,
        reply: @escaping (Result<Value, any Error>) -> Void
    ) {
        eventLoop.makeFutureWithTask(operation).assumeIsolated().whenComplete(reply)
    }
}
