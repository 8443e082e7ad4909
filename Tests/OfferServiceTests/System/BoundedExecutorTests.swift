import Dispatch
import Synchronization
import Testing

@testable import OfferService

@Suite("Bounded executor")
struct BoundedExecutorTests {
    private func executor(threads: Int = 1, limit: Int = 2) -> BoundedExecutor {
        BoundedExecutor(threads: threads, limit: limit, refusal: IssueError.notReady("full", of: .load))
    }

    private func run<Value: Sendable>(_ executor: BoundedExecutor, _ body: @escaping @Sendable () async -> Value) async -> Value {
        await Task(executorPreference: executor) { await body() }.value
    }

    /// How many are inside, and were at the most.
    private final class Count: Sendable {
        private let state = Mutex((inside: 0, most: 0))

        var most: Int { state.withLock { $0.most } }

        func enter() { state.withLock { $0 = ($0.inside + 1, max($0.most, $0.inside + 1)) } }
        func look() { state.withLock { _ in } }
        func leave() { state.withLock { $0.inside -= 1 } }
    }

    private func block(_ gate: DispatchSemaphore) { gate.wait() }

    @Test("No more than so much is let in, and what leaves makes room")
    func bound() throws {
        let executor = executor()
        try executor.enter()
        try executor.checkRoom()
        try executor.enter()
        #expect(throws: IssueError.notReady("full", of: .load)) { try executor.checkRoom() }
        #expect(throws: IssueError.notReady("full", of: .load)) { try executor.enter() }
        executor.leave()
        try executor.enter()
    }

    @Test("Work that blocks its threads holds up nothing outside", .timeLimit(.minutes(30)))
    func isolation() async {
        let (executor, gate) = (executor(threads: 2), DispatchSemaphore(value: 0))
        // As many as the concurrency pool has threads would hold up the whole of it.
        let blocked = (0..<64).map { _ in
            Task(executorPreference: executor) { block(gate) }
        }
        #expect(await Task { 1 + 1 }.value == 2)
        for _ in blocked { gate.signal() }
        for each in blocked { await each.value }
    }

    @Test("One thread does one thing at a time, also behind a suspension")
    func oneAtATime() async {
        let (executor, count) = (executor(), Count())
        let step: @Sendable () -> Void = {
            count.enter()
            for _ in 0..<1000 { count.look() }
            count.leave()
        }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask(executorPreference: executor) {
                    step()
                    await Task.yield()
                    step()
                }
            }
        }
        #expect(count.most == 1)
    }

    @Test("Its threads end with it")
    func end() async {
        for _ in 0..<200 { #expect(await run(executor(threads: 4)) { true }) }
    }
}
