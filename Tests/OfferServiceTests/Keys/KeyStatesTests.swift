import EligibilityRules
import OfferSigning
import OfferStore
import Testing

@testable import OfferService

@Suite("Key standing")
struct KeyStatesTests {
    private func decision(_ keyID: String, _ state: String, in bundleID: String = "a") -> KeyDecision {
        KeyDecision(
            keyID: keyID, bundleID: bundleID, state: state, decidedAt: Instant(milliseconds: 0), decidedBy: "t", reason: "")
    }

    private func keyStates(_ listed: [String: KeyState], _ decisions: [KeyDecision] = []) -> KeyStates {
        KeyStates(of: "a", listed: listed, decisions: decisions)
    }

    @Test("Until something is decided in the app, the folder's word counts")
    func listed() {
        let listed: [String: KeyState] = ["OLD": .active, "NEW": .staged, "GONE": .revoked]
        #expect(keyStates(listed).states == listed)
        #expect(keyStates(listed, [decision("NEW", "active", in: "b")]).active == "OLD")
    }

    @Test("Revoking a key that does not sign leaves the one that does")
    func revokingAnother() {
        let listed: [String: KeyState] = ["OLD": .active, "NEW": .staged, "PAST": .retiring]
        for id in ["NEW", "PAST", "GONE"] { #expect(keyStates(listed, [decision(id, "revoked")]).active == "OLD") }
        #expect(keyStates(listed, [decision("OLD", "revoked")]).active == nil)
    }

    @Test("What was decided outlives what the manifest says, but nothing brings back what that calls revoked")
    func decided() {
        let decisions = [decision("OLD", "retiring"), decision("NEW", "active")]
        #expect(keyStates(["OLD": .active, "NEW": .staged], decisions).states == ["OLD": .retiring, "NEW": .active])
        // A manifest of the old days, or a file that now comes first by name: it does not begin to sign.
        #expect(keyStates(["AAA": .active, "OLD": .retiring, "NEW": .retiring], decisions).active == "NEW")
        #expect(keyStates(["OLD": .active, "NEW": .revoked], decisions).active == nil)
        // A decision of a later release, or about a key that is gone.
        #expect(
            keyStates(["OLD": .retiring], [decision("OLD", "resting"), decision("X", "active")]).states == ["OLD": .retiring])
    }

    @Test("A key that was activated and is missing is named, and signs no more once another was activated and it is back")
    func missing() throws {
        let listed: [String: KeyState] = ["OLD": .active, "NEW": .staged]
        let gone = [decision("OLD", "retiring"), decision("GONE", "active")]
        #expect(keyStates(listed, gone).missing == "GONE" && keyStates(listed, gone).active == nil)
        let later = gone + [decision("NEW", "active")]
        #expect(keyStates(listed, later).missing == nil)
        let back = listed.merging(["GONE": .staged]) { $1 }
        #expect(keyStates(back, later).states == ["OLD": .retiring, "GONE": .retiring, "NEW": .active])
        #expect(keyStates(listed, gone + [decision("GONE", "revoked")]).missing == nil)
    }

    @Test("Activating ends the key before it, and rolling back is activating that one again")
    func activation() throws {
        let listed: [String: KeyState] = ["OLD": .active, "NEW": .staged]
        var decisions: [KeyDecision] = []
        func take(_ changes: [KeyStates.Change]) { decisions += changes.map { decision($0.keyID, $0.state.rawValue) } }
        take(try keyStates(listed).activating("NEW"))
        #expect(keyStates(listed, decisions).states == ["OLD": .retiring, "NEW": .active])
        #expect(throws: KeyError.active("NEW", bundleID: "a")) { try keyStates(listed, decisions).activating("NEW") }
        take(try keyStates(listed, decisions).rollingBack())
        #expect(keyStates(listed, decisions).states == ["OLD": .active, "NEW": .retiring])
        take(try keyStates(listed, decisions).rollingBack())
        #expect(keyStates(listed, decisions).active == "NEW")
        take(try keyStates(listed, decisions).revoking("OLD", evenIfActive: false))
        #expect(throws: KeyError.nothingToRollBackTo(bundleID: "a")) { try keyStates(listed, decisions).rollingBack() }
    }

    @Test("What cannot sign is not activated, and the key that signs is not revoked by a slip")
    func refusals() throws {
        let listed: [String: KeyState] = ["OLD": .active, "BAD": .revoked, "PAST": .retired]
        let keyStates = keyStates(listed)
        #expect(throws: KeyError.unknownKey("NONE", bundleID: "a")) { try keyStates.activating("NONE") }
        #expect(throws: KeyError.ended("BAD", state: "revoked")) { try keyStates.activating("BAD") }
        #expect(throws: KeyError.ended("PAST", state: "retired")) { try keyStates.activating("PAST") }
        #expect(throws: KeyError.onlyActive("OLD", bundleID: "a")) { try keyStates.revoking("OLD", evenIfActive: false) }
        #expect(try keyStates.revoking("OLD", evenIfActive: true).map(\.state) == [.revoked])
    }
}
