#if THREAD_SANITIZER
    import Glibc

    /// Replaces the standard library's `Mutex` under the thread sanitizer.
    ///
    /// The standard library's `Mutex` waits on a futex in code that the sanitizer cannot see, so the sanitizer reports a race on
    /// every value that such a `Mutex` guards. Each module that uses locks has a symbolic link to this file. `scripts/sanitize`
    /// defines the condition.
    @usableFromInline struct Mutex<Value: ~Copyable>: ~Copyable, Sendable {
        // This is safe, because a POSIX mutex may be used by many threads.
        nonisolated(unsafe) private let lock: UnsafeMutablePointer<pthread_mutex_t>
        // This is safe, because the value is accessed only while the lock is held.
        nonisolated(unsafe) private let value: UnsafeMutablePointer<Value>

        @usableFromInline init(_ value: consuming sending Value) {
            lock = .allocate(capacity: 1)
            lock.initialize(to: pthread_mutex_t())
            pthread_mutex_init(lock, nil)
            self.value = .allocate(capacity: 1)
            self.value.initialize(to: value)
        }

        @usableFromInline deinit {
            pthread_mutex_destroy(lock)
            lock.deallocate()
            value.deinitialize(count: 1)
            value.deallocate()
        }

        @usableFromInline borrowing func withLock<Result: ~Copyable, Failure: Error>(
            _ body: (inout sending Value) throws(Failure) -> sending Result
        ) throws(Failure) -> sending Result {
            pthread_mutex_lock(lock)
            defer { pthread_mutex_unlock(lock) }
            return try body(&value.pointee)
        }

        @usableFromInline borrowing func withLockIfAvailable<Result: ~Copyable, Failure: Error>(
            _ body: (inout sending Value) throws(Failure) -> sending Result
        ) throws(Failure) -> sending Result? {
            guard pthread_mutex_trylock(lock) == 0 else { return nil }
            defer { pthread_mutex_unlock(lock) }
            return try body(&value.pointee)
        }
    }
#endif
