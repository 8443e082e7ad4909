import FoundationEssentials
import Glibc
import OfferService
import OfferSigning
import OfferStore

/// Loads every key that a configuration names.
struct KeyFolder {
    /// SHA-256 of the public key in keys.example/: everybody has its private half.
    static let exampleFingerprint = "7b93e310af4923c15a81115af781bb93ca5f0e53af6c8e0de09829bad09d1971"

    let source: KeySource
    let environment: ServiceConfiguration.Environment

    /// The keys where they stand by what was decided, each read, tested and checked against the others. One that was activated must be there.
    func ring(bundleIDs: [String], decisions: [KeyDecision]) throws -> KeyRing {
        let entries = try entries(bundleIDs: bundleIDs, decisions: decisions)
        for bundleID in bundleIDs {
            guard let id = KeyStanding(of: bundleID, in: entries, decisions: decisions).missing else { continue }
            throw ConfigurationError(
                "keys: \(id) was activated for \(bundleID), and \(source.directory) has no SubscriptionKey_\(id).p8; "
                    + "put it back, or activate another with offersigner keys activate")
        }
        return try KeyRing(entries: entries, bundleIDs: bundleIDs, decisions: decisions)
    }

    /// The keys as the folder has them: those that its manifest lists, and those that something was decided about.
    ///
    /// - Parameter also: ids of further keys, which are there to be decided about.
    func entries(bundleIDs: [String], decisions: [KeyDecision], also: Set<String> = []) throws -> [KeyRing.Entry] {
        let wanted = also.union(decisions.filter { $0.keyState != .revoked }.map(\.keyID))
        let entries = try source.inline.map { [try entry($0)] } ?? load(plan(with: wanted), bundleIDs: bundleIDs)
        if environment == .production, entries.contains(where: { $0.key.fingerprint == KeyFolder.exampleFingerprint }) {
            throw ConfigurationError(
                "keys: the published example key is loaded; production needs your own In-App Purchase key")
        }
        return entries
    }

    private func entry(_ inline: KeySource.Inline) throws -> KeyRing.Entry {
        try KeyFile.check(id: inline.id)
        let key = try inline.pem.utf8.withContiguousStorageIfAvailable { pem in
            try SigningKey(
                id: inline.id, pem: UnsafeRawBufferPointer(pem), passphrase: source.passphrase, slots: slots)
        }
        return KeyRing.Entry(key: key!, state: .active, apps: nil)
    }

    private func load(_ plan: [KeyManifest.Entry], bundleIDs: [String]) throws -> [KeyRing.Entry] {
        var problems: [String] = plan.flatMap { entry in
            (entry.apps ?? []).subtracting(bundleIDs).sorted().map {
                "\(manifest): \(entry.file) serves \($0), which is no app of the configuration; correct apps there, or leave it out"
            }
        }
        let entries = plan.compactMap { entry -> KeyRing.Entry? in
            let file = KeyFile(path: path(of: entry))
            do throws(SigningError) {
                let key = try file.load(id: entry.id, passphrase: source.passphrase, slots: slots)
                return KeyRing.Entry(key: key, state: entry.state, apps: entry.apps)
            } catch {
                let detail = error.detail.hasPrefix(file.path) ? error.detail : "\(file.path): \(error.detail)"
                problems.append("\(detail) [\(error.code.rawValue)]")
                return nil
            }
        }
        guard problems.isEmpty else { throw ConfigurationError(problems) }
        return entries
    }

    /// What the manifest says, and of the files that it does not list those of some ids, for every app.
    private func plan(with ids: Set<String>) throws -> [KeyManifest.Entry] {
        let unlisted = try unlisted().filter { ids.contains(KeyFile(path: $0).idInName ?? "") }
        return try plan() + unlisted.map { KeyManifest.Entry(id: nil, file: $0, apps: nil, state: .staged) }
    }

    /// What the manifest says; without one every subscription key serves every app, the first by name actively.
    private func plan() throws(ConfigurationError) -> [KeyManifest.Entry] {
        if TextFile.exists(manifest) {
            // Who may write the manifest says which key signs.
            do throws(SigningError) {
                try KeyFile.checkFolder(of: manifest)
                try KeyFile.checkOwner(of: manifest)
            } catch {
                throw ConfigurationError("keys.directory: \(error.detail) [\(error.code.rawValue)]")
            }
            return try KeyManifest(yaml: try TextFile.read(manifest), source: manifest).entries
        }
        let files = try keyFiles()
        guard !files.isEmpty else {
            throw ConfigurationError("keys.directory: \(source.directory) holds no SubscriptionKey_<KEYID>.p8")
        }
        return files.enumerated().map { index, file in
            KeyManifest.Entry(id: nil, file: file, apps: nil, state: index == 0 ? .active : .retiring)
        }
    }

    /// What there is to say of a file that `unlisted` names.
    static func unlistedWarning(_ file: String) -> String {
        "keys: \(KeyManifest.fileName) does not list \(file); it is no key of the service until it is activated: offersigner keys activate"
    }

    /// Names of files that the manifest does not list, and that are therefore no keys of the service.
    func unlisted() throws -> [String] {
        guard source.inline == nil, TextFile.exists(manifest) else { return [] }
        let listed = Set(try plan().map(\.file))
        return try keyFiles().filter { !listed.contains($0) }
    }

    /// Names of those of them that are not among the keys of a ring, either.
    func unused(by ring: KeyRing) throws -> [String] {
        let ids = Set(ring.entries.map(\.key.id))
        return try unlisted().filter { KeyFile(path: $0).idInName.map(ids.contains) != true }
    }

    /// When the files of the keys were last changed, by key id, in seconds since 1970; a key that is no file has none.
    func fileTimes() throws -> [String: Int64] {
        guard source.inline == nil else { return [:] }
        var times: [String: Int64] = [:]
        for entry in try plan() {
            let file = KeyFile(path: path(of: entry))
            guard let id = entry.id ?? file.idInName, let status = FileStatus(path: file.path) else { continue }
            times[id] = status.modifiedAt
        }
        return times
    }

    private func path(of entry: KeyManifest.Entry) -> String {
        entry.file.hasPrefix("/") ? entry.file : "\(source.directory)/\(entry.file)"
    }

    private var manifest: String { "\(source.directory)/\(KeyManifest.fileName)" }

    /// Names of all files that may be keys, sorted.
    private func keyFiles() throws(ConfigurationError) -> [String] {
        guard access(source.directory, R_OK | X_OK) == 0,
            let names = try? FileManager.default.contentsOfDirectory(atPath: source.directory)
        else {
            let (code, reason) = (errno, String(cString: strerror(errno)))
            let remedy = code == ENOENT ? "; to try the service out, copy keys.example" : ""
            throw ConfigurationError("keys.directory: \(source.directory): \(reason)\(remedy)")
        }
        return names.filter { $0.hasSuffix(".p8") }.sorted()
    }

    private var slots: Int { ProcessorCount.usable }
}
