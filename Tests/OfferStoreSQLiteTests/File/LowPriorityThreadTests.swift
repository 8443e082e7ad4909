import Glibc
import Synchronization
import Testing

@testable import OfferStoreSQLite

@Suite("The thread of checkpoints")
struct LowPriorityThreadTests {
    private struct Fault: Error {}

    private static var niceness: Int32 { getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0) }

    @Test("Leaves the processor to others, and the caller's priority as it is")
    func priority() throws {
        let before = Self.niceness
        let found = Atomic<Int32>(-1)
        try LowPriorityThread.run { found.store(Self.niceness, ordering: .relaxed) }
        #expect(found.load(ordering: .relaxed) == 10)
        #expect(Self.niceness == before)
    }

    @Test("Passes an error on")
    func failure() {
        #expect(throws: Fault.self) { try LowPriorityThread.run { throw Fault() } }
    }
}
