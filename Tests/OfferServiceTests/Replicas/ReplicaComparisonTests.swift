import EligibilityRules
import OfferStore
import Testing

@testable import OfferService

@Suite("Replicas beside each other")
struct ReplicaComparisonTests {
    private static let now = Instant(milliseconds: 1_700_000_000_000)

    private func entry(
        _ id: String,
        version: String = "1",
        configuration: String = "c",
        keys: [Replica.Key] = [],
        clockOffset: Int64? = nil,
        silentFor silence: Int64 = 0
    ) -> ReplicaRoll.Entry {
        ReplicaRoll.Entry(
            replica: Replica(
                id: id, address: id, version: version, startedAt: Self.now, configurationDigest: configuration, keys: keys,
                clockOffset: clockOffset),
            lastHeartbeatAt: Self.now.advanced(by: -silence))
    }

    private func differences(_ entries: ReplicaRoll.Entry...) -> [[ReplicaComparison.Difference]] {
        ReplicaComparison.all(ReplicaRoll(now: Self.now, entries: entries)).map(\.differences)
    }

    @Test("One that is unlike most is named with what is different")
    func minority() {
        let key = Replica.Key(id: "A", fingerprint: "aa")
        #expect(differences(entry("a"), entry("b")) == [[], []])
        #expect(differences(entry("a"), entry("b", version: "2"), entry("c")) == [[], [.version], []])
        #expect(
            differences(entry("a", configuration: "d", keys: [key]), entry("b"), entry("c")) == [
                [.configuration, .keys], [], [],
            ])
    }

    @Test("Where no half agrees, each is named")
    func tie() {
        #expect(differences(entry("a"), entry("b", version: "2")) == [[.version], [.version]])
    }

    @Test("What a dead one has says nothing of those that live")
    func dead() {
        let dead = entry("d", version: "0", silentFor: ReplicaRoll.lifetime)
        #expect(differences(entry("a"), entry("b"), dead) == [[], [], []])
        #expect(differences(entry("a"), dead, entry("e", version: "0", silentFor: ReplicaRoll.lifetime)) == [[], [], []])
    }

    @Test(
        "A clock counts as different where it keeps a replica from signing",
        arguments: [5000, -5000, 5001, -5001, nil] as [Int64?])
    func clock(_ offset: Int64?) {
        let isDifferent = offset.map { $0.magnitude > 5000 } ?? false
        #expect(differences(entry("a", clockOffset: offset)) == [isDifferent ? [.clock] : []])
    }
}
