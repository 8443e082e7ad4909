import EligibilityRules
import Glibc
import OfferService
import OfferStore
import OfferStoreSQLite

/// A folder with copies of the store's files, under their own names.
struct StoreBackup {
    let configuration: ServiceConfiguration
    let folder: String
    private let files: StoreFiles

    private var paths: [String] { files.paths }

    /// Throws if the store is a database, because this copies files.
    init(_ configuration: ServiceConfiguration, folder: String) throws {
        (self.configuration, self.folder) = (configuration, folder)
        files = try configuration.storeFiles()
    }

    /// Copies both files as of one instant, despite concurrent writes. Returns the paths of the copies.
    func make(progress: @escaping (String, Double) -> Void) throws -> [String] {
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
            throw StoreError(.unavailable, "\(folder): \(String(cString: strerror(errno)))")
        }
        let files = paths.map { StoreCopy.File(from: $0, to: copy(of: $0)) }
        try StoreCopy.make(files, progress: progress)
        return paths.map(copy)
    }

    /// Verifies the audit log in the copy of the signatures.
    func examine() async throws -> StoreExamination {
        try await configuration.withSigningStore(at: copy(of: files.signatures), StoreExamination.init(_:_:))
    }

    /// Replaces the store with the copies. No service may use the store meanwhile.
    ///
    /// Returns what was found about the copy of the signatures, if there is one, and the new paths of the earlier files.
    func restore() async throws -> (examination: StoreExamination?, replaced: [String]) {
        let lock = try configuration.lockStore(isNeeded: true)
        defer { lock?.release() }
        let present = try paths.filter { try StoreCopy.isThere(copy(of: $0)) }
        guard !present.isEmpty else {
            throw StoreError(.unavailable, "\(folder) has neither \(paths.map(Self.name).joined(separator: " nor "))")
        }
        for path in present { unlink(draft(of: path)) }
        defer { for path in present { unlink(draft(of: path)) } }
        try StoreCopy.make(present.map { StoreCopy.File(from: copy(of: $0), to: draft(of: $0)) }, asNewStore: true) { _, _ in }
        var examination: StoreExamination?
        if present.contains(files.signatures) {
            examination = try await configuration.withSigningStore(at: draft(of: files.signatures), accepting: .earlier) {
                try await $0.takeUp($1, configuration)
            }
        }
        if present.contains(files.histories) { try await reinstateHistories() }
        for path in present { try ServingLock.forgetPosition(path: path) }
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

    /// Marks the draft as a store that services may use, even if the backup was made after the store was copied to a database.
    private func reinstateHistories() async throws {
        let path = draft(of: files.histories)
        defer { for end in ["-wal", "-shm", "-lock"] { unlink(path + end) } }
        let store = try PurchaseStore.sqlite(
            path: path, accepting: .earlier, now: SystemEnvironment.live.now, onWait: StandardError.note)
        try await store.file.reinstate()
        try store.file.close()
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
    /// Opens a copy of the file of signatures for `body` and closes it. Removes the files that SQLite has made beside it.
    fileprivate func withSigningStore<Value>(
        at path: String,
        accepting acceptance: StoreAcceptance = .current,
        _ body: (SigningStore, AuditLog) async throws -> Value
    ) async throws -> Value {
        defer { for end in ["-wal", "-shm", "-lock"] { unlink(path + end) } }
        let store = try SigningStore.sqlite(
            path: path, audit: .openSSL, accepting: acceptance, onWait: StandardError.note)
        do {
            let value = try await body(store, auditLog(of: store))
            try store.file.close()
            return value
        } catch {
            try? store.file.close()
            throw error
        }
    }
}
