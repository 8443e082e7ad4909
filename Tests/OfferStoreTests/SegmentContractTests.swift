import EligibilityRules
import OfferStore
import OfferStoreTesting
import Testing

@Suite("Segment contract")
struct SegmentContractTests {
    private func record(_ id: String, of app: String = "a", version: Int64 = 1, _ document: [UInt8] = Array(#"{"ä":0}"#.utf8))
        -> SegmentRecord
    {
        SegmentRecord(id: id, bundleID: app, version: version, document: document, changed: .sample(version, by: "ann"))
    }

    private func event(_ subject: String) -> AuditEvent {
        AuditEvent(
            at: Instant(milliseconds: 1), actor: "ann", action: "segment.save", partition: AppPartition(bundleID: "a"),
            object: AuditObject(subject))
    }

    @Test(
        "Each app has its own, in the order of ids, and the next version replaces the one before",
        arguments: SigningStoreUnderTest.allCases)
    func roundTrip(_ implementation: SigningStoreUnderTest) async throws {
        let (store, folder) = try implementation.make()
        defer { withExtendedLifetime(folder) {} }
        let segments = store.marketing.segments
        let others = [record("b"), record("a"), record("a", of: "other", [])]
        for each in others { #expect(try await segments.write(each, audit: []) == .written) }
        let next = record("a", version: 2, [1])
        #expect(try await segments.write(next, audit: []) == .written)
        #expect(try await segments.segments(of: "a") == [next, others[0]])
        #expect(try await segments.segments(of: "other") == [others[2]])
        #expect(try await segments.segments(of: "none").isEmpty)
    }

    @Test("A late caller gets what is there now, and nothing is written or removed", arguments: SigningStoreUnderTest.allCases)
    func late(_ implementation: SigningStoreUnderTest) async throws {
        let (store, folder) = try implementation.make()
        defer { withExtendedLifetime(folder) {} }
        let segments = store.marketing.segments
        #expect(try await segments.write(record("s", version: 2), audit: [event("late")]) == .changedMeanwhile(nil))
        #expect(try await segments.write(record("s"), audit: [event("first")]) == .written)
        let second = record("s", version: 2, [2])
        #expect(try await segments.write(second, audit: [event("second")]) == .written)
        for late in [record("s"), second, record("s", version: 4)] {
            #expect(try await segments.write(late, audit: [event("late")]) == .changedMeanwhile(second))
        }
        let removed = try await segments.removeSegment(id: "s", bundleID: "a", version: 1, audit: [event("late")])
        #expect(removed == .changedMeanwhile(second))
        #expect(try await segments.segments(of: "a") == [second])
        #expect(
            try await segments.removeSegment(id: "s", bundleID: "a", version: 2, audit: [event("removed")]) == .written)
        #expect(
            try await segments.removeSegment(id: "s", bundleID: "a", version: 2, audit: [event("late")]) == .changedMeanwhile(nil)
        )
        #expect(try await segments.segments(of: "a").isEmpty)
        // It begins anew.
        #expect(try await segments.write(record("s"), audit: []) == .written)
        let entries = try await store.audit.entries(.events, AuditFilter(action: "segment."), before: nil, limit: 9)
        #expect(entries.map(\.event.object.id) == ["removed", "second", "first"])
    }

    @Test("Of several who change at once one does", arguments: SigningStoreUnderTest.allCases)
    func race(_ implementation: SigningStoreUnderTest) async throws {
        let (store, folder) = try implementation.make()
        defer { withExtendedLifetime(folder) {} }
        let outcomes = try await withThrowingTaskGroup(of: WriteOutcome<SegmentRecord>.self) { group in
            for number in 0..<8 {
                group.addTask { try await store.marketing.segments.write(record("s", [UInt8(number)]), audit: []) }
            }
            return try await group.reduce(into: [WriteOutcome<SegmentRecord>]()) { $0.append($1) }
        }
        #expect(outcomes.count { $0 == .written } == 1)
        let kept = try #require(try await store.marketing.segments.segments(of: "a").first)
        #expect(outcomes.count { $0 == .changedMeanwhile(kept) } == 7)
    }
}
