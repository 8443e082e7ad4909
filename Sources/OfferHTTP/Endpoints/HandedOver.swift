import Synchronization

/// A large value on its way to another thread: that thread then is its only owner, and frees it when it has been read.
final class HandedOver<Value: Sendable>: Sendable {
    private let value: Mutex<Value?>

    init(_ value: Value) { self.value = Mutex(value) }

    /// Returns the value, once; nil afterwards.
    func take() -> Value? {
        value.withLock { value in
            defer { value = nil }
            return value
        }
    }
}
