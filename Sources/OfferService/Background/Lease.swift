import OfferStore

/// The lease of a background job that one process at a time may run.
struct Lease: Sendable {

    private let store: any LeaseStore
    private let name: String
    private let holder: String
    private let milliseconds: Int64

    /// - Parameters:
    ///   - name: the job's name.
    ///   - holder: identifies this process.
    ///   - milliseconds: how long the lease of a process that has died keeps others waiting.
    init(_ store: any LeaseStore, _ name: String, holder: String, milliseconds: Int64 = 15_000) {
        self.store = store
        self.name = name
        self.holder = holder
        self.milliseconds = milliseconds
    }

    /// Acquires or renews the lease. Returns false while another process has it.
    func hold() async throws(StoreError) -> Bool { try await store.acquire(name, holder: holder, milliseconds: milliseconds) }

    /// Releases the lease if this process has it.
    func release() async throws(StoreError) { try await store.release(name, holder: holder) }
}
