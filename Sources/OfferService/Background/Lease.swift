import OfferStore

/// The turn at a background job that one process at a time has.
struct Lease: Sendable {

    private let store: any LeaseStore
    private let name: String
    private let holder: String
    private let milliseconds: Int64

    /// - Parameters:
    ///   - name: of the job.
    ///   - holder: tells this process from others.
    ///   - milliseconds: how long the lease of a process that has died keeps others waiting.
    init(_ store: any LeaseStore, _ name: String, holder: String, milliseconds: Int64 = 15_000) {
        self.store = store
        self.name = name
        self.holder = holder
        self.milliseconds = milliseconds
    }

    /// Takes or renews it; false while another process has it.
    func hold() async throws(StoreError) -> Bool { try await store.acquire(name, holder: holder, milliseconds: milliseconds) }

    /// Gives it back, if this process has it.
    func release() async throws(StoreError) { try await store.release(name, holder: holder) }
}
