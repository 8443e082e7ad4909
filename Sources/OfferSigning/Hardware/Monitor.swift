import Glibc

/// A condition variable: threads wait on it for a change of the value in a `Monitor`.
final class Condition: Sendable {
    // This is safe, because a POSIX condition variable may be used by many threads.
    nonisolated(unsafe) fileprivate let pointer = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    init() {
        pointer.initialize(to: pthread_cond_t())
        var monotonic = pthread_condattr_t()
        pthread_condattr_init(&monotonic)
        pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC)
        pthread_cond_init(pointer, &monotonic)
        pthread_condattr_destroy(&monotonic)
    }

    deinit {
        pthread_cond_destroy(pointer)
        pointer.deallocate()
    }

    /// Wakes one waiting thread.
    func signal() { pthread_cond_signal(pointer) }

    /// Wakes all waiting threads.
    func broadcast() { pthread_cond_broadcast(pointer) }
}

/// A value that is guarded by a lock. Threads can wait until it changes.
final class Monitor<Value>: Sendable {
    // This is safe, because a POSIX mutex may be used by many threads.
    nonisolated(unsafe) private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    // This is safe, because the value is accessed only while the lock is held.
    nonisolated(unsafe) private var value: Value

    init(_ value: sending Value) {
        self.value = value
        lock.initialize(to: pthread_mutex_t())
        pthread_mutex_init(lock, nil)
    }

    deinit {
        pthread_mutex_destroy(lock)
        lock.deallocate()
    }

    /// Reads or changes the value. A caller that changes it must signal the waiting threads afterwards.
    func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        return body(&value)
    }

    /// Calls `body` at once and after each signal, until it returns a value, and returns that value. Returns nil at the deadline.
    ///
    /// - Parameter deadline: returns when to give up, or nil to wait for ever. It is called again after each signal.
    func wait<Result>(
        on condition: Condition,
        until deadline: (Value) -> ContinuousClock.Instant? = { _ in nil },
        _ body: (inout Value) -> Result?
    ) -> Result? {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        while true {
            if let result = body(&value) { return result }
            guard let end = deadline(value) else {
                pthread_cond_wait(condition.pointer, lock)
                continue
            }
            let left = end - .now
            guard left > .zero else { return nil }
            sleep(on: condition, for: left)
        }
    }

    private func sleep(on condition: Condition, for duration: Duration) {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        let (seconds, attoseconds) = duration.components
        let nanoseconds = time.tv_nsec + Int(attoseconds / 1_000_000_000)
        time.tv_sec += Int(seconds) + nanoseconds / 1_000_000_000
        time.tv_nsec = nanoseconds % 1_000_000_000
        pthread_cond_timedwait(condition.pointer, lock, &time)
    }
}

/// Starts threads that run on their own: no other thread waits for their end.
enum DetachedThread {
    private final class Start {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    static func run(_ body: @escaping @Sendable () -> Void) {
        let start = Unmanaged.passRetained(Start(body))
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { start in
                Unmanaged<Start>.fromOpaque(start!).takeRetainedValue().body()
                return nil
            }, start.toOpaque())
        precondition(code == 0, "no thread can be started: \(code)")
        pthread_detach(thread)
    }
}
