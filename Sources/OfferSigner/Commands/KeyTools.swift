import ArgumentParser
import OfferService
import OfferSigning
import OfferStore

/// What the commands about signing keys share: the folder, the store, the desk.
struct KeyTools {
    let desk: KeyDesk
    let bundleIDs: [String]
    private let folder: KeyFolder
    private let store: SigningStore
    private let configuration: ServiceConfiguration
    private let decisions: [KeyDecision]

    init(_ options: ConfigurationOptions) async throws {
        configuration = try options.load()
        bundleIDs = configuration.apps.map(\.bundleID)
        // Whatever is wrong with these keeps nobody from revoking.
        folder = KeyFolder(
            configuration, hardware: HardwareKeys(for: .look), xcode: (try? XcodeKeys(configuration)) ?? .none)
        store = try configuration.openSigningStore(onWait: StandardError.note)
        decisions = try await store.keys.keyDecisions()
        desk = KeyDesk(store: store.keys, replicas: store.replicas, system: .live)
    }

    /// Every key of the folder that can be used; of the others it is said why not.
    func allEntries() throws -> [KeyRing.Entry] {
        let (entries, faults) = try folder.contents(bundleIDs: bundleIDs, decisions: decisions)
        for fault in faults { StandardError.note("not used: \(fault.reason)") }
        return entries
    }

    /// Decides, and says what was decided.
    func decide(_ wish: KeyDesk.Wish, _ scope: KeyScope) async throws {
        let entries = try readable(wish)
        if let unknown = scope.apps.first(where: { !bundleIDs.contains($0) }) {
            throw CommandRefusal("no app \(unknown) in the configuration; it has \(bundleIDs.joined(separator: ", "))")
        }
        do {
            let apps = scope.apps.isEmpty ? served(by: wish, entries) : scope.apps
            for made in try await desk.decide(wish, for: apps, among: entries, by: .commandLine, reason: scope.reason) {
                print("\(made.bundleID): \(made.keyID) is \(made.state)")
            }
        } catch let error as KeyError {
            throw CommandRefusal("\(error)")
        }
        try await store.closeSealed(configuration)
    }

    /// What is in the folder; nil where that cannot be read, and a key is to be revoked.
    private func readable(_ wish: KeyDesk.Wish) throws -> [KeyRing.Entry]? {
        do {
            return try allEntries()
        } catch {
            guard case .revoke = wish else { throw error }
            StandardError.note("\(error)")
            return nil
        }
    }

    /// Puts a key into the folder.
    func stage(_ pem: SecretBytes, keyID: String) async throws {
        let known = try allEntries().map { ($0.key.fingerprint, $0.key.id) }
        try await folder.stage(pem, keyID: keyID, unlike: Dictionary(known) { first, _ in first })
        let event = Origin.commandLine.event(
            .stageKey, at: SystemEnvironment.live.now(), subject: keyID, after: KeyState.staged.rawValue)
        try await store.audit.record([event])
        try await store.closeSealed(configuration)
    }

    func close() throws { try store.file.close() }

    /// The apps that the key serves, those that it was decided for if its file is gone; all if nothing says which.
    private func served(by wish: KeyDesk.Wish, _ entries: [KeyRing.Entry]?) -> [String] {
        if let entry = entries?.first(where: { $0.key.id == wish.keyID }) { return bundleIDs.filter(entry.serves) }
        let decided = Set(decisions.filter { $0.keyID == wish.keyID }.map(\.bundleID)).intersection(bundleIDs)
        return decided.isEmpty ? bundleIDs : decided.sorted()
    }
}
