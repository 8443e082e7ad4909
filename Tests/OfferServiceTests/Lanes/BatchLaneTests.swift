import NIOCore
import NIOEmbedded
import OfferStore
import Synchronization
import Testing

@testable import OfferService

@Suite("What a loop turn submits")
final class BatchLaneTests {
    private let loop = EmbeddedEventLoop()
    private let batches = Mutex<[[Int]]>([])

    private func lane(isBehind: @escaping () -> Bool) -> BatchLane<Int, Int> {
        BatchLane(eventLoop: loop, maxPending: 5, maxTurns: 3, isBehind: isBehind) { batch, completion in
            self.batches.withLock { $0.append(batch) }
            completion(.success(batch))
        }
    }

    @Test("A turn's submissions go over as one batch, a full batch at once")
    func turns() {
        let lane = lane { false }
        for number in 1...7 { lane.send(number) { _ in } }
        #expect(batches.withLock { $0 } == [[1, 2, 3, 4, 5]])
        loop.run()
        #expect(batches.withLock { $0 } == [[1, 2, 3, 4, 5], [6, 7]])
    }

    @Test("While another turn follows a small batch grows, over three turns at most")
    func growing() {
        var isBehind = true
        let lane = lane { isBehind }
        // Turns without a submission do not count.
        for _ in 1...3 { lane.endTurn() }
        lane.send(1) { _ in }
        loop.run()
        lane.endTurn()
        #expect(batches.withLock { $0.isEmpty })
        lane.endTurn()
        #expect(batches.withLock { $0 } == [[1]])
        lane.send(2) { _ in }
        loop.run()
        lane.send(3) { _ in }
        lane.endTurn()
        #expect(batches.withLock { $0 } == [[1], [2, 3]], "half of what a batch holds is not small")
        lane.send(4) { _ in }
        loop.run()
        isBehind = false
        lane.endTurn()
        #expect(batches.withLock { $0 } == [[1], [2, 3], [4]])
    }
}
