import EligibilityRules
import Glibc
import OfferService
import OfferStore
import OfferStoreSQLite

/// A folder with copies of the store's files, under their own names.
struct StoreBackup {
    /// What is known of a copy of the file of signatures.
    struct Examination {
        let verdict: AuditVerdict
        /// Of the latest signature; nil: there is none.
        let latest: Instant?
        /// When it was looked at, by the machine's clock.
        let at: Instant
    }

    let configuration: ServiceConfiguration
    let folder: String
    private let files: StoreFiles

    private var paths: [String] { files.paths }

    /// Throws for a store that is a database.
    init(_ configuration: ServiceConfiguration, folder: String) throws {
        (self.configuration, self.folder) = (configuration, folder)
        files = try configuration.storeFiles()
    }

    /// Copies both files as of one instant, whatever is written to them meanwhile. Returns the copies.
    func make(progress: @escaping (String, Double) -> Void) throws -> [String] {
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
            throw StoreError(.unavailable, "\(folder): \(String(cString: strerror(errno)))")
        }
        let files = paths.map { StoreCopy.File(from: $0, to: copy(of: $0)) }
        try StoreCopy.make(files, progress: progress)
        return paths.map(copy)
    }

    /// Verifies the audit log in the copy of the signatures.
    func examine() async throws -> Examination {
        let path = copy(of: files.signatures)
        return try await configuration.withSigningStore(at: path) { store, log in
            Examination(
                verdict: try await log.verify(), latest: try await store.ledger.latestInstant(), at: SystemEnvironment.live.now())
        }
    }

    /// Puts the copies in the place of the store, which no service may work on. Returns what is known of the copy of the signatures, if
    /// there is one, and the paths that the files from before have now.
    ///
    /// No nonce from before is accepted afterwards: the copy does not know which of them were used since.
    func restore() async throws -> (examination: Examination?, replaced: [String]) {
        let lock = try configuration.lockStore(isNeeded: true)
        defer { lock?.release() }
        let present = paths.filter { TextFile.exists(copy(of: $0)) }
        guard !present.isEmpty else {
            throw StoreError(.unavailable, "\(folder) has neither \(paths.map(Self.name).joined(separator: " nor "))")
        }
        for path in present { unlink(draft(of: path)) }
        defer { for path in present { unlink(draft(of: path)) } }
        try StoreCopy.make(present.map { StoreCopy.File(from: copy(of: $0), to: draft(of: $0)) }, asNewStore: true) { _, _ in }
        var examination: Examination?
        if present.contains(files.signatures) { examination = try await prepare(draft(of: files.signatures)) }
        let stamp = SystemEnvironment.live.now().iso8601
        var replaced: [String] = []
        for path in present {
            for file in ["", "-wal", "-shm"].map({ path + $0 }) where TextFile.exists(file) {
                let earlier = "\(path).before-\(stamp)\(file.dropFirst(path.count))"
                try Self.move(file, to: earlier)
                if file == path { replaced.append(earlier) }
            }
            try Self.move(draft(of: path), to: path)
        }
        return (examination, replaced)
    }

    /// Makes a copy of the signatures fit to be signed on.
    private func prepare(_ draft: String) async throws -> Examination {
        try await configuration.withSigningStore(at: draft) { store, log in
            let verdict = try await log.verify()
            guard verdict.isIntact else { throw StoreError(.damaged, verdict.faults.joined(separator: "; ")) }
            let latest = try await store.ledger.latestInstant()
            let now = SystemEnvironment.live.now()
            try await store.secrets.remove(named: NonceDesk.secretName)
            try await store.clock.accept(now)
            try await log.record(.restoreStore, by: .commandLine, before: latest?.iso8601, after: now.iso8601)
            await store.seal(configuration)
            return Examination(verdict: verdict, latest: latest, at: now)
        }
    }

    private func copy(of path: String) -> String { "\(folder)/\(Self.name(path))" }

    private func draft(of path: String) -> String { "\(path).restoring" }

    private static func name(_ path: String) -> String { String(path.split(separator: "/").last ?? "") }

    private static func move(_ file: String, to other: String) throws(StoreError) {
        guard rename(file, other) == 0 else {
            throw StoreError(.unavailable, "\(file) cannot be renamed to \(other): \(String(cString: strerror(errno)))")
        }
    }
}

extension ServiceConfiguration {
    /// Opens a copy of the file of signatures and closes it, without a trace in its folder.
    fileprivate func withSigningStore<Value>(
        at path: String,
        _ body: (SigningStore, AuditLog) async throws -> Value
    ) async throws -> Value {
        let store = try SigningStore.sqlite(path: path, audit: .openSSL, onWait: StandardError.note)
        defer { for end in ["-wal", "-shm", "-lock"] { unlink(path + end) } }
        let log = AuditLog(store: store.audit, keys: AuditKeyFolder(directory: keys.directory), system: .live)
        do {
            let value = try await body(store, log)
            try store.file.close()
            return value
        } catch {
            try? store.file.close()
            throw error
        }
    }
}
