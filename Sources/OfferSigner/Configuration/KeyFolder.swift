import FoundationEssentials
import Glibc
import OfferService
import OfferSigning
import OfferStore

/// Loads every key that a configuration names.
struct KeyFolder: KeyStaging {
    /// The SHA-256 of the public key in keys.example/, whose private key is public.
    static let exampleFingerprint = "7b93e310af4923c15a81115af781bb93ca5f0e53af6c8e0de09829bad09d1971"

    let source: KeySource
    let environment: ServiceConfiguration.Environment
    /// The keys in hardware modules.
    private let hardware: HardwareKeys
    /// The keys for StoreKit Testing in Xcode, which must not be in the folder.
    let xcode: XcodeKeys
    private let cache = KeyCache()
    private let manifests = ManifestCache()

    init(_ configuration: ServiceConfiguration, hardware: HardwareKeys, xcode: XcodeKeys) {
        source = configuration.keys
        environment = configuration.environment
        self.hardware = hardware
        self.xcode = xcode
    }

    /// Returns the keys in their decided states, each read, tested and checked against the others.
    ///
    /// Throws if for every app the key that should sign is missing or cannot be used.
    func keys(bundleIDs: [String], decisions: KeyDecisions) throws -> LoadedKeys {
        let (entries, faults) = try contents(bundleIDs: bundleIDs, decisions: decisions)
        var problems: [String: KeyFault] = [:]
        for bundleID in bundleIDs {
            let keyStates = KeyStates(of: bundleID, in: entries, decisions: decisions.all)
            let wasActivated = decisions.all.contains { $0.bundleID == bundleID && $0.keyState == .active }
            if let id = keyStates.missing {
                // A key that the manifest revokes may be missing, even if nothing else is known of it.
                if try isRevoked(id, bundleID, isFirstStart: decisions.areOfNoApp) { continue }
                let fault = faults.first { $0.keyID == id }.map { "cannot be used: \($0.reason)" }
                let file = "SubscriptionKey_\(id).p8"
                problems[bundleID] = KeyFault(
                    file: file,
                    reason: "keys: \(id) was activated for \(bundleID), and \(file) \(fault ?? "is not in \(source.directory)"); "
                        + "correct it, or activate another with offersigner keys activate")
            } else if keyStates.active == nil, !wasActivated, let fault = faults.first(where: { $0.isActive(in: bundleID) }) {
                problems[bundleID] = fault
            }
        }
        guard problems.isEmpty || problems.count < bundleIDs.count else {
            throw ConfigurationError(Set(problems.values.map(\.reason)).sorted())
        }
        return try LoadedKeys(
            entries: entries, bundleIDs: bundleIDs, decisions: decisions,
            faults: faults + problems.values.filter { !faults.contains($0) }.sorted { $0.reason < $1.reason },
            keyless: Set(problems.keys))
    }

    /// Returns the keys in the folder, in the states that its manifest gives them, and the faults of keys that cannot be used.
    ///
    /// Keys that the manifest does not list are staged.
    func contents(
        bundleIDs: [String],
        decisions: KeyDecisions
    ) throws -> (entries: [KeyRing.Entry], faults: [KeyFault]) {
        if let inline = source.inline { return ([try checked(try entry(inline))], []) }
        let plan = try plan(isFirstStart: decisions.areOfNoApp)
        var (entries, faults) = try load(plan, bundleIDs: bundleIDs)
        entries = try entries.map(checked)
        faults.removeAll { isOver($0, bundleIDs, decisions.all) }
        let listed = Set(plan.compactMap(\.place.file))
        for file in try keyFiles() where !listed.contains(file) {
            let staged = decisions.all.filter { $0.keyID == KeyFile(path: file).idInName && $0.keyState == .staged }
            let own = Set(staged.map(\.bundleID))
            let apps = own.isEmpty || own.contains(KeyDecision.everyApp) ? nil : own.intersection(bundleIDs)
            do {
                let found = try load(
                    [KeyManifest.Entry(id: nil, place: .file(file), apps: apps, state: .staged)], bundleIDs: bundleIDs)
                faults += found.faults
                entries = try KeyRing(entries: entries + found.entries.map(checked), bundleIDs: []).entries
            } catch let error as ConfigurationError {
                faults.append(KeyFault(file: file, reason: error.problems.joined(separator: "; ")))
            } catch {
                faults.append(KeyFault(file: file, reason: "\(error)"))
            }
        }
        guard !entries.isEmpty else { throw ConfigurationError(faults.map(\.reason)) }
        cache.keep(only: Set(plan.compactMap(\.place.file).map(path) + (try keyFiles()).map { "\(source.directory)/\($0)" }))
        return (entries, faults)
    }

    private func checked(_ entry: KeyRing.Entry) throws(ConfigurationError) -> KeyRing.Entry {
        if let objection = xcode.objection(to: entry.key) { throw ConfigurationError("keys: \(objection)") }
        guard environment == .production, entry.key.fingerprint == KeyFolder.exampleFingerprint else { return entry }
        throw ConfigurationError(
            "keys: the published example key is loaded; production needs your own In-App Purchase key")
    }

    private func entry(_ inline: KeySource.Inline) throws -> KeyRing.Entry {
        try KeyFile.check(id: inline.id)
        let key = try inline.pem.utf8.withContiguousStorageIfAvailable { pem in
            try SigningKey(
                id: inline.id, pem: UnsafeRawBufferPointer(pem), passphrase: source.passphrase, slots: slots)
        }
        return KeyRing.Entry(key: key!, state: .active, apps: nil)
    }

    /// Whether the manifest states that a key is revoked for an app.
    private func isRevoked(_ keyID: String, _ bundleID: String, isFirstStart: Bool) throws -> Bool {
        try plan(isFirstStart: isFirstStart).contains { entry in
            entry.state == .revoked && id(of: entry) == keyID && entry.apps?.contains(bundleID) ?? true
        }
    }

    private func id(of entry: KeyManifest.Entry) -> String? {
        entry.id ?? entry.place.file.flatMap { KeyFile(path: path($0)).idInName }
    }

    /// Whether a fault no longer matters: the file of the key was removed, and the key is revoked in every app.
    private func isOver(_ fault: KeyFault, _ bundleIDs: [String], _ decisions: [KeyDecision]) -> Bool {
        guard let id = fault.keyID, !TextFile.exists(path(fault.file)) else { return false }
        return bundleIDs.filter { fault.apps?.contains($0) ?? true }.allSatisfy { bundleID in
            let listed = fault.state.map { [id: $0] } ?? [:]
            return KeyStates(of: bundleID, listed: listed, decisions: decisions).states[id] == .revoked
        }
    }

    /// Returns the keys that a plan lists, and the faults of those that cannot be used.
    private func load(
        _ plan: [KeyManifest.Entry],
        bundleIDs: [String]
    ) throws -> (entries: [KeyRing.Entry], faults: [KeyFault]) {
        let problems: [String] = plan.flatMap { entry in
            (entry.apps ?? []).subtracting(bundleIDs).sorted().map {
                "\(manifest): \(entry.name) serves \($0), which is not an app of the configuration; correct apps there, or leave it out"
            }
        }
        guard problems.isEmpty else { throw ConfigurationError(problems) }
        var faults: [KeyFault] = []
        let entries = plan.compactMap { entry -> KeyRing.Entry? in
            do throws(SigningError) {
                return KeyRing.Entry(key: try key(of: entry), state: entry.state, apps: entry.apps)
            } catch {
                let place = entry.place.file.map(path) ?? "\(manifest): \(entry.name)"
                let detail = error.detail.hasPrefix(place) ? error.detail : "\(place): \(error.detail)"
                faults.append(
                    KeyFault(
                        file: entry.name, reason: "\(detail) [\(error.code.rawValue)]", keyID: id(of: entry), state: entry.state,
                        apps: entry.apps))
                return nil
            }
        }
        return (entries, faults)
    }

    private func key(of entry: KeyManifest.Entry) throws(SigningError) -> SigningKey {
        switch entry.place {
        case .file(let name):
            let file = KeyFile(path: path(name))
            return try cache.key(of: file.path) { () throws(SigningError) in
                try file.load(id: entry.id, passphrase: source.passphrase, slots: slots)
            }
        case .module(let uri): return try hardware.load(id: entry.id ?? "", at: uri)
        }
    }

    /// Returns the entries of the manifest.
    ///
    /// If there is no manifest, the first start takes every key for every app and activates the first one by name. Later starts
    /// return no entries, because the recorded decisions then give the keys their states.
    private func plan(isFirstStart: Bool) throws(ConfigurationError) -> [KeyManifest.Entry] {
        if hasManifest {
            // A user who can write the manifest can decide which key signs.
            do throws(SigningError) {
                try KeyFile.checkFolder(of: manifest)
                try KeyFile.checkOwner(of: manifest)
            } catch {
                throw ConfigurationError("keys.directory: \(error.detail) [\(error.code.rawValue)]")
            }
            return try manifests.entries(of: manifest) { () throws(ConfigurationError) in
                try KeyManifest(yaml: try TextFile.read(manifest), source: manifest).entries
            }
        }
        let files = try keyFiles()
        guard !files.isEmpty else {
            throw ConfigurationError("keys.directory: \(source.directory) holds no SubscriptionKey_<KEYID>.p8")
        }
        guard isFirstStart else { return [] }
        return files.enumerated().map { index, file in
            KeyManifest.Entry(id: nil, place: .file(file), apps: nil, state: index == 0 ? .active : .staged)
        }
    }

    /// Whether a manifest decides which key signs.
    var hasManifest: Bool { TextFile.exists(manifest) }

    /// Returns the present versions of the files, by path. The result differs from an earlier one if a file has changed.
    func version() -> [String: FileVersion] {
        guard source.inline == nil else { return [:] }
        var paths = ((try? plan(isFirstStart: false)) ?? []).compactMap(\.place.file).map(path)
        paths += ((try? keyFiles()) ?? []).map { "\(source.directory)/\($0)" } + [manifest, source.directory]
        return Dictionary(paths.compactMap { path in FileVersion(path: path).map { (path, $0) } }) { first, _ in first }
    }

    /// Returns when the keys' files were last changed, by key id, in seconds since 1970. A key without a file is left out.
    func fileTimes() throws -> [String: Int64] {
        guard source.inline == nil else { return [:] }
        var times: [String: Int64] = [:]
        let files = try keyFiles().map { KeyManifest.Entry(id: nil, place: .file($0), apps: nil, state: .staged) }
        for entry in try plan(isFirstStart: false) + files {
            guard let file = entry.place.file.map({ KeyFile(path: path($0)) }), let id = id(of: entry),
                times[id] == nil, let status = FileStatus(path: file.path)
            else { continue }
            times[id] = status.modifiedAt
        }
        return times
    }

    private func path(_ file: String) -> String { file.hasPrefix("/") ? file : "\(source.directory)/\(file)" }

    private var manifest: String { "\(source.directory)/\(KeyManifest.fileName)" }

    /// Returns the names of all files that may be keys, sorted.
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

extension KeyManifest.Entry {
    /// The name for people: the file, or the id.
    fileprivate var name: String { place.file ?? id ?? "" }
}
