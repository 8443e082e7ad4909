import Glibc
import OfferStore
import OfferStoreTesting
import Testing

@testable import OfferStoreSQLite

@Suite("What runs at low priority")
struct LowPriorityThreadTests {
    private static var niceness: Int32 { getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0) }

    @Test("A thread leaves the processor to others, and the caller's priority as it is")
    func priority() throws {
        let before = Self.niceness
        #expect(try LowPriorityThread.run { Self.niceness } == 10)
        #expect(Self.niceness == before)
    }

    @Test("A scan runs at low priority, a quick read does not")
    func scan() async throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder.path("store.sqlite"), audit: .testing)
        #expect(try await store.scan("look") { _ in Self.niceness } == 10)
        #expect(try await store.read("look") { _ in Self.niceness } < 10)
        await #expect(throws: StoreError.self) { try await store.scan("look") { _ in throw StoreError(.damaged, "a fault") } }
        try store.close()
    }
}
