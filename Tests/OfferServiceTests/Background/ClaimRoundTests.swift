import Synchronization
import Testing

@testable import OfferService

@Suite("Rounds of questions")
struct ClaimRoundTests {
    /// What is due, and what was done about it.
    private final class Work: Sendable {
        struct State {
            var due: [Int]
            var claims: [Int] = []
            var asked: [Int] = []
            var running = 0
            var mostRunning = 0
            var givenBack: [Int] = []
        }

        let state: Mutex<State>
        let clock = ManualClock(0)

        init(_ count: Int) { state = Mutex(State(due: Array(0..<count))) }

        /// - Parameter width: 1 where a test needs to know what was asked before an answer came.
        func round(width: Int = 8, _ answer: @escaping @Sendable (Int) throws -> Bool) -> ClaimRound<Int> {
            ClaimRound(uptime: clock.environment.uptime, width: { width }) { [self] limit in
                state.withLock { state in
                    let claimed = Array(state.due.prefix(limit))
                    state.due.removeFirst(claimed.count)
                    state.claims.append(claimed.count)
                    return claimed
                }
            } ask: { [self] item in
                state.withLock { state in
                    state.asked.append(item)
                    state.running += 1
                    state.mostRunning = max(state.mostRunning, state.running)
                }
                defer { state.withLock { $0.running -= 1 } }
                await Task.yield()
                return try answer(item)
            } release: { [self] item in
                state.withLock { $0.givenBack.append(item) }
            }
        }
    }

    private struct Failure: Error {}

    @Test("Everything that is due is asked about once, eight at a time at most")
    func everything() async throws {
        let work = Work(100)
        #expect(try await work.round { _ in true }.run(limit: 1000) == .done)
        work.state.withLock { state in
            #expect(state.asked.sorted() == Array(0..<100))
            #expect(state.claims.first == 1)
            #expect((2...8).contains(state.mostRunning))
            #expect(state.givenBack == [])
        }
    }

    @Test("A round that reaches its limit is unfinished")
    func limit() async throws {
        let work = Work(100)
        #expect(try await work.round { _ in true }.run(limit: 20) == .unfinished)
        #expect(work.state.withLock { $0.asked.count + $0.due.count } == 100)
        #expect((20..<40).contains(work.state.withLock(\.asked.count)))
    }

    @Test("After a freeze, what was claimed is neither asked about nor given back: another process may have claimed it")
    func frozen() async throws {
        let work = Work(100)
        let round = work.round(width: 1) { item in
            if item == 1 { work.clock.pass(ClaimRound<Int>.claimTime) }
            return true
        }
        #expect(try await round.run(limit: 1000) == .putOff)
        work.state.withLock { state in
            #expect(state.asked == [0, 1])
            #expect(state.givenBack == [])
        }
    }

    @Test("What fails for the first is asked of no other")
    func first() async throws {
        let work = Work(100)
        #expect(try await work.round { _ in false }.run(limit: 1000) == .putOff)
        #expect(work.state.withLock(\.asked) == [0])
        #expect(work.state.withLock(\.claims) == [1])
        #expect(work.state.withLock(\.givenBack) == [])
    }

    @Test(
        "What was claimed and not asked about is given back, after an answer that has the rest wait and after an error",
        arguments: [true, false])
    func rest(isError: Bool) async throws {
        let work = Work(100)
        let round = work.round(width: 1) { item in
            if item == 3, isError { throw Failure() }
            return item != 3
        }
        if isError {
            await #expect(throws: Failure.self) { try await round.run(limit: 1000) }
        } else {
            #expect(try await round.run(limit: 1000) == .putOff)
        }
        work.state.withLock { state in
            #expect(state.claims == [1, 16])
            #expect(state.asked == Array(0...3))
            #expect(state.givenBack.sorted() == Array(4..<17))
        }
    }
}
