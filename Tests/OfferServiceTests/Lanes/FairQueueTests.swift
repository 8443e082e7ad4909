import NIOCore
import NIOEmbedded
import Testing

@testable import OfferService

@Suite("The queue of an event loop")
final class FairQueueTests {
    private let loop = EmbeddedEventLoop()
    private var time = NIODeadline.uptimeNanoseconds(1_000_000_000_000)
    private var done: [String] = []
    private lazy var queue = FairQueue(eventLoop: loop) { self.time }

    /// Has a request come in that takes an eighth of a turn.
    private func request(_ caller: String) {
        if queue.mayStart() { work(caller) } else { queue.wait(for: caller) { self.work(caller) } }
    }

    private func work(_ caller: String) {
        done.append(caller)
        time = time + .nanoseconds(FairQueue.turn.nanoseconds / 8)
    }

    /// Lets the loop look at its sockets once. Returns what is done by then.
    private func turn() -> [String] {
        loop.advanceTime(by: FairQueue.pause)
        defer { done = [] }
        return done
    }

    @Test("A turn does its share, and the rest is for the next one")
    func turns() {
        for _ in 0..<20 { request("a") }
        #expect(done.count == 8)
        loop.run()
        #expect(done.count == 16)
        loop.run()
        #expect(done.count == 16)
        #expect(turn().count == 20)
        request("a")
        #expect(done.count == 1)
    }

    @Test("A caller waits for one request of each of the others")
    func rotation() {
        for _ in 0..<12 { request("a") }
        request("b")
        for _ in 0..<3 { request("c") }
        loop.run()
        #expect(done.dropFirst(8) == ["a", "b"])
        done = []
        request("b")
        #expect(turn() + turn() == ["c", "a", "b", "c"])
    }

    @Test("A caller whose requests wait too long may add none, another may")
    func fullness() {
        for _ in 0..<1000 { request("a") }
        #expect(!queue.isFull(for: "a"))
        time = time + FairQueue.patience + .nanoseconds(1)
        #expect(queue.isFull(for: "a"))
        #expect(!queue.isFull(for: "b"))
        while !turn().isEmpty {}
        #expect(!queue.isFull(for: "a"))
    }

    @Test("A turn that cannot be requested comes by a timer")
    func requests() {
        var (isPossible, requests) = (true, 0)
        queue.requestTurn = {
            requests += 1
            return isPossible
        }
        for _ in 0..<40 { request("a") }
        loop.run()
        #expect(done.count == 16 && requests == 1)
        #expect(turn().count == 16)
        isPossible = false
        queue.beginTurn()
        #expect(requests == 2 && turn().count == 16)
    }

    @Test("While several callers wait, and some turns longer, a turn is a quarter as long")
    func sharing() {
        for _ in 0..<400 { request("a") }
        loop.run()
        #expect(done.count == 16)
        request("b")
        #expect(turn() == Array(repeating: "a", count: 16) + ["a", "b"])
        for _ in 1..<FairQueue.sharedTurns { #expect(turn().count == 2) }
        #expect(turn().count == 8)
    }

    @Test("Nothing begins while the ledger is congested, until something comes back or a turn has passed")
    func congestion() {
        var isCongested = true
        queue.isCongested = { isCongested }
        for _ in 0..<20 { request("a") }
        loop.run()
        #expect(done.isEmpty)
        isCongested = false
        queue.resume()
        #expect(turn().count == 8)
        isCongested = true
        #expect(turn().isEmpty)
        isCongested = false
        loop.advanceTime(by: FairQueue.turn)
        #expect(!done.isEmpty)
    }
}
