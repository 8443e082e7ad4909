import EligibilityRules
import OfferService
import OfferStore
import OfferStorePostgreSQL
import OfferStoreSQLite

/// Copies the files of a store into the configured database, which is served in their place.
struct StoreCopying {
    private let files: StoreFiles
    private let configuration: ServiceConfiguration
    private let address: String

    /// Throws where the configuration names no database, or a file is missing.
    init(of files: StoreFiles, _ configuration: ServiceConfiguration) throws(StoreError) {
        guard case .postgresql(let address) = configuration.store else {
            throw StoreError(.unsuitable, "the store is copied to a database: name one in store.postgresql")
        }
        if let missing = files.paths.first(where: { !TextFile.exists($0) }) {
            throw StoreError(.unavailable, "\(missing) does not exist")
        }
        (self.files, self.configuration, self.address) = (files, configuration, address)
    }

    /// Verifies the store, copies it, and verifies the copy. Returns how many rows were copied, and what is known of the copy.
    func run() async throws -> (rows: Int, examination: StoreExamination) {
        let lock = try ServingLock(path: files.signatures)
        defer { lock.release() }
        let source = try SigningStore.sqlite(
            path: files.signatures, audit: .openSSL, isCopiedAwayAccepted: true, onWait: StandardError.note)
        _ = try await examine(source)
        try source.file.close()
        let (rows, wasCopied) = try copy()
        let store = try configuration.openSigningStore(onWait: StandardError.note)
        // The copy from before may have been signed on: which nonces were used there this one does not know.
        if wasCopied { try await store.secrets.remove(named: NonceDesk.secretName) }
        let examination = try await examine(store)
        try await log(of: store).record(.copyStore, by: .commandLine, before: files.signatures, after: "\(rows) rows")
        try await store.closeSealed(configuration)
        return (rows, examination)
    }

    private func copy() throws(StoreError) -> (rows: Int, wasCopied: Bool) {
        let source = try SQLiteCopySource(
            signatures: files.signatures, histories: files.histories, audit: .openSSL, copiedTo: configuration.storeName,
            at: SystemEnvironment.live.now(), onWait: StandardError.note)
        defer { try? source.close() }
        let rows = try PostgreSQLCopy.run(source, to: address) { StandardError.note("\($0): \($1) rows …") }
        return (rows, source.wasRetired)
    }

    private func log(of store: SigningStore) -> AuditLog {
        AuditLog(store: store.audit, keys: AuditKeyFolder(directory: configuration.keys.directory), system: .live)
    }

    /// Throws where the audit log does not verify.
    private func examine(_ store: SigningStore) async throws -> StoreExamination {
        let found = try await StoreExamination(store, log(of: store))
        guard found.verdict.isIntact else { throw StoreError(.damaged, found.verdict.faults.joined(separator: "; ")) }
        return found
    }
}
