import EligibilityRules
import OfferService
import OfferStore
import OfferStorePostgreSQL
import OfferStoreSQLite

/// Copies the files of a store into the configured database, which services use in their place from then on.
struct StoreCopying {
    private let files: StoreFiles
    private let configuration: ServiceConfiguration
    private let address: String

    /// Throws if the configuration names no database, or a file is missing.
    init(of files: StoreFiles, _ configuration: ServiceConfiguration) throws(StoreError) {
        guard case .postgresql(let address) = configuration.store else {
            throw StoreError(.unsuitable, "the store is copied to a database: name one in store.postgresql")
        }
        if let missing = files.paths.first(where: { !TextFile.exists($0) }) {
            throw StoreError(.unavailable, "\(missing) does not exist")
        }
        (self.files, self.configuration, self.address) = (files, configuration, address)
    }

    /// Verifies the store and copies it. Returns the number of copied rows, and what was found about the store.
    func run() async throws -> (rows: Int, examination: StoreExamination) {
        let lock = try ServingLock(path: files.signatures)
        defer { lock.release() }
        let source = try SigningStore.sqlite(
            path: files.signatures, audit: .openSSL, accepting: .copied, onWait: StandardError.note)
        let examination = try await StoreExamination(intact: source, configuration.auditLog(of: source))
        try source.file.close()
        let rows = try copy()
        let store = try configuration.openSigningStore(accepting: .earlier, onWait: StandardError.note)
        try await store.file.reinstate()
        try await configuration.auditLog(of: store).record(
            .copyStore, by: .commandLine, object: AuditObject(before: files.signatures, after: "\(rows) rows"))
        try await store.closeSealed(configuration)
        return (rows, examination)
    }

    private func copy() throws -> Int {
        let source = try SQLiteCopySource(
            signatures: files.signatures, histories: files.histories, audit: .openSSL, copiedTo: configuration.storeName,
            onceWithout: [NonceDesk.secretName], at: SystemEnvironment.live.now(), onWait: StandardError.note)
        defer { try? source.close() }
        let trust = try AuditKeyFolder(directory: configuration.keys.directory).trust()
        return try PostgreSQLCopy.run(source, to: address, audit: (.openSSL, trust)) {
            StandardError.note("\($0): \($1) rows …")
        }
    }
}
