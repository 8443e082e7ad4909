import Synchronization
import Testing

@testable import OfferStoreSQLite

@Suite("Turns of scans")
struct ScanTurnsTests {
    @Test("So many have a turn at a time, and all get one")
    func turns() async {
        let (turns, scans) = (ScanTurns(2), Scans())
        await withTaskGroup(of: Void.self) { group in
            for _ in 1...50 {
                group.addTask {
                    await turns.take()
                    scans.begin()
                    for _ in 1...5 { await Task.yield() }
                    scans.end()
                    turns.release()
                }
            }
        }
        #expect(scans.highest == 2 && scans.current == 0)
    }

    private final class Scans: Sendable {
        private let state = Mutex((current: 0, highest: 0))

        var current: Int { state.withLock { $0.current } }
        var highest: Int { state.withLock { $0.highest } }

        func begin() {
            state.withLock { state in
                state.current += 1
                state.highest = max(state.highest, state.current)
            }
        }

        func end() { state.withLock { $0.current -= 1 } }
    }
}
