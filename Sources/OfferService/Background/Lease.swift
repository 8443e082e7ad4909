import OfferStore
import Synchronization

/// The lease of a background job that one process at a time may run.
///
/// A process that was frozen may go on after another process has taken over the job. What the frozen process then writes must do
/// no harm. Therefore either the store accepts the write only if nothing has changed meanwhile, or the job checks `isHeld` just
/// before it writes.
final class Lease: Sendable {
    private let store: any LeaseStore
    private let name: String
    private let holder: String
    private let milliseconds: Int64
    private let uptime: @Sendable () -> Int64
    private let end = Mutex(Int64.min)

    /// - Parameters:
    ///   - name: the job's name.
    ///   - holder: identifies this process.
    ///   - milliseconds: how long the lease of a process that has died keeps others waiting.
    ///   - uptime: the time since boot in ms.
    init(
        _ store: any LeaseStore,
        _ name: String,
        holder: String,
        milliseconds: Int64 = 15_000,
        uptime: @escaping @Sendable () -> Int64
    ) {
        self.store = store
        self.name = name
        self.holder = holder
        self.milliseconds = milliseconds
        self.uptime = uptime
    }

    /// Whether no other process can have taken the lease since it was last acquired.
    var isHeld: Bool { uptime() < end.withLock { $0 } }

    /// Acquires or renews the lease. Returns false while another process has it.
    func hold() async throws(StoreError) -> Bool {
        // The clock is read before the store begins to count the lease's time, so that this process never believes too long that
        // it holds the lease.
        let start = uptime()
        guard try await store.acquire(name, holder: holder, milliseconds: milliseconds) else { return false }
        end.withLock { $0 = start + milliseconds }
        return true
    }

    /// Releases the lease if this process has it.
    func release() async throws(StoreError) { try await store.release(name, holder: holder) }
}
