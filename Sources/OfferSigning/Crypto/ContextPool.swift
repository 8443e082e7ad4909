import Synchronization

/// A fixed number of OpenSSL's contexts. Only one thread at a time uses a context, and none keeps one while its task is
/// suspended.
final class ContextPool: Sendable {
    private final class Slot: Sendable {
        let lock = Mutex<Void>(())
        // This is safe, because the context is used only while `lock` is held.
        nonisolated(unsafe) let context: OpaquePointer
        let free: @Sendable (OpaquePointer) -> Void

        init(_ context: OpaquePointer, free: @escaping @Sendable (OpaquePointer) -> Void) {
            self.context = context
            self.free = free
        }

        deinit { free(context) }
    }

    private let slots: [Slot]

    /// Creates `count` contexts. Returns nil if one cannot be created.
    init?(count: Int, make: () -> OpaquePointer?, free: @escaping @Sendable (OpaquePointer) -> Void) {
        var slots: [Slot] = []
        for _ in 0..<max(1, count) {
            guard let context = make() else { return nil }
            slots.append(Slot(context, free: free))
        }
        self.slots = slots
    }

    /// Runs the body with a context that no other thread is using.
    func withContext<Result>(_ body: (OpaquePointer) -> Result) -> Result {
        for slot in slots {
            if let result = slot.lock.withLockIfAvailable({ _ in body(slot.context) }) { return result }
        }
        let slot = slots[Int.random(in: slots.indices)]
        return slot.lock.withLock { _ in body(slot.context) }
    }
}
