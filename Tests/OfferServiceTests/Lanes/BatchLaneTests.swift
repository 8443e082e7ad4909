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

    @Test("It is congested while two batches are under way that are large together, but not by one that waits long")
    func congestion() throws {
        var time = NIODeadline.uptimeNanoseconds(1_000_000_000)
        var completions: [@Sendable (Result<[Int], StoreError>) -> Void] = []
        let lane = BatchLane<Int, Int>(eventLoop: loop, maxPending: 2, now: { time }) { completions.append($1) }
        var replies = 0
        lane.replied = { replies += 1 }
        for number in 1...2 { lane.send(number) { _ in } }
        #expect(!lane.isCongested)
        lane.send(3) { _ in }
        loop.run()
        #expect(lane.isCongested)
        time = time + FairQueue.turn
        #expect(!lane.isCongested)
        lane.send(4) { _ in }
        completions[0](.success([1, 2]))
        loop.run()
        #expect(!lane.isCongested && replies == 1, "the second is the oldest now")
        completions[1](.failure(StoreError(.unavailable, "a fault")))
        loop.run()
        #expect(!lane.isCongested && replies == 2)
        for number in 5...6 { lane.send(number) { _ in } }
        #expect(lane.isCongested)
    }

    @Test("Small batches do not congest it")
    func smallBatches() {
        var completions: [@Sendable (Result<[Int], StoreError>) -> Void] = []
        let lane = BatchLane<Int, Int>(eventLoop: loop, maxPending: 64) { completions.append($1) }
        for number in 1...3 {
            lane.send(number) { _ in }
            loop.run()
        }
        #expect(completions.count == 3 && !lane.isCongested)
    }
}
