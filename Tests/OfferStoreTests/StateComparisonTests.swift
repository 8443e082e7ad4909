import EligibilityRules
import OfferStore
import OfferStoreTesting
import TestRandomness
import Testing

@Suite("States, compared with what events tell of them")
struct StateComparisonTests {
    private let life: [CampaignRecord]
    private let events: [AuditEvent]

    init() {
        var life = [CampaignRecord.sample()]
        for number in 1...4 { life.append(life.last!.next(published: .sample(number), standing: .live)) }
        self.life = life
        let states = [nil] + life.map { $0.auditText(.testing) }
        events = zip(states, states.dropFirst()).map { Self.event("campaign.save", $0, $1) }
    }

    private static func event(
        _ action: String,
        _ before: String?,
        _ after: String?,
        of id: String = "spring-winback",
        _ app: String = "com.example.app"
    ) -> AuditEvent {
        AuditEvent(
            at: Instant(milliseconds: 1), actor: "ann", action: action, partition: AppPartition(bundleID: app),
            object: AuditObject(id, before: before, after: after))
    }

    private func fault(_ events: [AuditEvent], isLinked: Bool = true, _ record: CampaignRecord?) throws -> String? {
        try StateComparison.fault(.testing) { comparison in
            for event in events { comparison.take(RecordedEvent(event, isLinked: isLinked)) }
            for revision in life.dropFirst().compactMap(\.published) {
                comparison.compare(revision, of: "spring-winback", "com.example.app")
            }
            if let record { comparison.compare(record) }
        }.map { "\($0)" }
    }

    @Test("The last state is found in whatever order events come: clocks of several machines differ")
    func order() throws {
        var random = SplitMix64(seed: 47)
        for _ in 0..<100 {
            let shuffled = events.shuffled(using: &random)
            #expect(try fault(shuffled, life.last) == nil)
            #expect(try fault(shuffled, life[random.below(life.count - 1)]) != nil)
        }
    }

    @Test("An event that is lost, doubled, foreign or of no chain is a fault, and so is a campaign without one")
    func faulty() throws {
        let name = "the campaign spring-winback of com.example.app"
        let apart = "\(name) has events that do not follow from one another"
        for index in events.indices {
            var (less, more) = (events, events)
            less.remove(at: index)
            more.insert(events[index], at: index)
            #expect(try fault(less, life.last) != nil, "\(index)")
            #expect(try fault(more, life.last) == apart, "\(index)")
        }
        let other = [Self.event("campaign.create", nil, "x", of: "other")]
        #expect(
            try fault(events + other, life.last) == "the campaign other of com.example.app is gone, and no event tells of that")
        #expect(try fault(events, nil) == "\(name) is gone, and no event tells of that")
        #expect(try fault(events, isLinked: false, life.last) == "\(name) has an event that does not belong to its chain")
        #expect(try fault([], life[0]) == "no event tells of revision 1 of \(name) as it is")
    }

    @Test("A revision that no row has any more is named")
    func revisions() throws {
        let found = try StateComparison.fault(.testing) { comparison in
            for event in events { comparison.take(RecordedEvent(event, isLinked: true)) }
            for record in life[2...] { comparison.compare(record.published!, of: record.id, record.bundleID) }
            comparison.compare(life.last!)
        }
        #expect(
            "\(try #require(found))".hasPrefix(
                "the campaign spring-winback of com.example.app has lost what it published: revision 1 "))
    }

    @Test("What ends goes on with the next beginning, and a row of what has ended is a fault")
    func endings() throws {
        func fault(_ events: [AuditEvent], _ rows: [SegmentRecord]) throws -> String? {
            try StateComparison.fault(.testing) { comparison in
                for event in events { comparison.take(RecordedEvent(event, isLinked: true)) }
                for row in rows { comparison.compare(row) }
            }.map { "\($0)" }
        }
        func segment(_ version: Int64) -> SegmentRecord {
            SegmentRecord(id: "s", bundleID: "a", version: version, document: [0x7B, 0x7D], changed: .sample())
        }
        func told(_ before: SegmentRecord?, _ after: SegmentRecord?) -> [AuditEvent] {
            [Self.event("segment.save", nil, nil, of: "s", "a")].telling(before, after, .testing)
        }
        let once = told(nil, segment(1)) + told(segment(1), segment(2)) + told(segment(2), nil)
        #expect(try fault(once, []) == nil)
        #expect(try fault(once + once, []) == nil)
        #expect(try fault(once + told(nil, segment(1)), [segment(1)]) == nil)
        #expect(try fault(once, [segment(2)]) == "the segment s of a is there, although its last event tells of its end")
        #expect(try fault([], [segment(1)]) == "no event tells of the segment s of a")
    }

    @Test("Texts that only look alike differ: testers are replaced, and the state is another one")
    func exact() {
        func record(_ id: String) -> CampaignRecord { .sample(testers: [CampaignTester(id: id, variant: "half")]) }
        let (composed, decomposed) = (record("\u{E4}"), record("a\u{308}"))
        #expect(composed.auditText(.testing) != decomposed.auditText(.testing))
        #expect(CampaignEdit(composed.next(testers: decomposed.testers), after: composed)?.hasOtherTesters == true)
    }
}
