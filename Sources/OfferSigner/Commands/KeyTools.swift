import ArgumentParser
import OfferService
import OfferSigning
import OfferStore

/// The common part of the commands about signing keys: the folder, the store, the desk.
struct KeyTools {
    let desk: KeyDesk
    let bundleIDs: [String]
    private let folder: KeyFolder
    private let store: SigningStore
    private let configuration: ServiceConfiguration
    private let decisions: KeyDecisions

    init(_ options: ConfigurationOptions) async throws {
        configuration = try options.load()
        bundleIDs = configuration.apps.map(\.bundleID)
        // Faults of these must not prevent a revocation.
        folder = KeyFolder(
            configuration, hardware: HardwareKeys(for: .look), xcode: (try? XcodeKeys(configuration)) ?? .none)
        store = try configuration.openSigningStore(onWait: StandardError.note)
        decisions = try await store.credentials.keys.keyDecisions()
        desk = KeyDesk(store: store.credentials.keys, replicas: store.processes.replicas, system: .live)
    }

    /// Returns every usable key of the folder, and reports why others are not used.
    func allEntries() throws -> [KeyRing.Entry] {
        let (entries, faults) = try folder.contents(bundleIDs: bundleIDs, decisions: decisions)
        for fault in faults { StandardError.note("not used: \(fault.reason)") }
        for lock in KeyLock.all(entries, bundleIDs, decisions) { StandardError.note(lock.reason) }
        return entries
    }

    /// Makes a decision, and prints it.
    func decide(_ request: KeyDesk.KeyChangeRequest, _ scope: KeyScope) async throws {
        let entries = try readable(request)
        if let unknown = scope.apps.first(where: { !bundleIDs.contains($0) }) {
            throw CommandRefusal("no app \(unknown) in the configuration; it has \(bundleIDs.joined(separator: ", "))")
        }
        do {
            let apps = scope.apps.isEmpty ? served(by: request, entries) : scope.apps
            for made in try await desk.decide(request, for: apps, among: entries, by: .commandLine, reason: scope.reason) {
                print("\(made.bundleID): \(made.keyID) is \(made.state)")
            }
        } catch let error as KeyError {
            throw CommandRefusal("\(error)")
        }
        try await store.closeSealed(configuration)
    }

    /// Returns the keys of the folder; nil if they cannot be read and a key is to be revoked.
    private func readable(_ request: KeyDesk.KeyChangeRequest) throws -> [KeyRing.Entry]? {
        do {
            return try allEntries()
        } catch {
            guard case .revoke = request else { throw error }
            StandardError.write(lines: "\(error)\n")
            return nil
        }
    }

    /// Puts a key into the folder.
    func stage(_ pem: SecretBytes, keyID: String) async throws {
        let known = try allEntries().map { ($0.key.fingerprint, $0.key.id) }
        let fingerprint = try await folder.stage(
            pem, keyID: keyID, unlike: Dictionary(known) { first, _ in first }, recorded: decisions.fingerprint(of: keyID))
        try await desk.stage(keyID, fingerprint: fingerprint, for: nil, by: .commandLine)
        try await store.closeSealed(configuration)
    }

    func close() throws { try store.file.close() }

    /// Returns the apps that the key serves, or those of its decisions if its file is gone; all apps if neither is known.
    private func served(by request: KeyDesk.KeyChangeRequest, _ entries: [KeyRing.Entry]?) -> [String] {
        if let entry = entries?.first(where: { $0.key.id == request.keyID }) { return bundleIDs.filter(entry.serves) }
        let decided = Set(decisions.all.filter { $0.keyID == request.keyID }.map(\.bundleID)).intersection(bundleIDs)
        return decided.isEmpty ? bundleIDs : decided.sorted()
    }
}
