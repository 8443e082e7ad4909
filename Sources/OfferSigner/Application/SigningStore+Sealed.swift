import OfferService
import OfferSigning
import OfferStore

extension SigningStore {
    /// Seals what this process has added to the audit log, and closes the store.
    func closeSealed(_ configuration: ServiceConfiguration) async throws {
        await seal(configuration)
        try file.close()
    }

    /// Seals what this process has added to the audit log, if it may read an audit key.
    ///
    /// Without an audit key the rows stay as they are: chained and durable, but not sealed.
    ///
    /// - Parameter ends: rows that processes which have ended did not seal, from a verification.
    func seal(_ configuration: ServiceConfiguration, covering ends: [AuditReport.UnsealedEnd] = []) async {
        do {
            let keys = AuditKeyFolder(directory: configuration.keys.directory)
            // If no key can be created, the rows stay unsealed.
            _ = try? keys.makeFirst()
            if let signer = try keys.signer() {
                audit.use(signer)
                _ = try await audit.seal(at: SystemEnvironment.live.now(), covering: ends)
            }
        } catch {
            StandardError.note("recorded, but not sealed in the audit log: \(error)")
        }
    }
}
