import FoundationEssentials
import OfferSigning
import OfferSigningTesting
import Testing

@Suite("Key ring")
struct KeyRingTests {
    private let folder: TemporaryFolder
    private let first: SigningKey
    private let second: SigningKey

    init() throws {
        folder = try TemporaryFolder()
        first = try KeyFile(path: folder.makeKey(id: "FIRSTKEY12")).load(passphrase: nil, slots: 1)
        second = try KeyFile(path: folder.makeKey(id: "SECONDKEY1")).load(passphrase: nil, slots: 1)
    }

    private func entry(_ key: SigningKey, _ state: KeyState, apps: Set<String>? = nil) -> KeyRing.Entry {
        KeyRing.Entry(key: key, state: state, apps: apps)
    }

    @Test("The active key signs, the others are known")
    func active() throws {
        let ring = try KeyRing(entries: [entry(first, .retiring), entry(second, .active)], bundleIDs: ["a"])
        #expect(ring.active(for: "a")?.id == "SECONDKEY1")
        #expect(ring.keys(for: "a").map(\.id) == ["SECONDKEY1", "FIRSTKEY12"])
    }

    @Test("Each app has its own active key")
    func perApp() throws {
        let entries = [entry(first, .active, apps: ["a"]), entry(second, .active, apps: ["b"])]
        let ring = try KeyRing(entries: entries, bundleIDs: ["a", "b", "c"])
        #expect(ring.active(for: "a")?.id == "FIRSTKEY12")
        #expect(ring.active(for: "b")?.id == "SECONDKEY1")
        #expect(ring.active(for: "c") == nil)
    }

    @Test("Two active keys of one app are refused")
    func twoActive() {
        #expect(throws: SigningError(.severalActive, "")) {
            try KeyRing(entries: [entry(first, .active), entry(second, .active, apps: ["a"])], bundleIDs: ["a"])
        }
    }

    @Test("The same key under two ids is refused, and one id twice")
    func duplicates() throws {
        let pem = try String(contentsOfFile: folder.path("SubscriptionKey_FIRSTKEY12.p8"), encoding: .utf8)
        try folder.write(pem, to: "SubscriptionKey_COPYCOPY12.p8")
        let copy = try KeyFile(path: folder.path("SubscriptionKey_COPYCOPY12.p8")).load(passphrase: nil, slots: 1)
        #expect(throws: SigningError(.duplicateKey, "")) {
            try KeyRing(entries: [entry(first, .active), entry(copy, .staged)], bundleIDs: ["a"])
        }
        #expect(throws: SigningError(.duplicateKey, "")) {
            try KeyRing(entries: [entry(first, .active), entry(first, .staged)], bundleIDs: ["a"])
        }
    }
}
