import Dispatch
import OfferStore
import Synchronization

@testable import OfferService

/// Threads of their own: those of tests may all be waiting.
private let threads = BoundedExecutor(threads: 2, limit: .max, refusal: CancellationError())

/// Waits on the calling thread, so that nothing happens meanwhile, and the same course can be had again.
func inTurn<Value: Sendable>(_ operation: @escaping @Sendable () async throws(StoreError) -> Value) throws(StoreError) -> Value {
    try called { completion in
        Task(executorPreference: threads) {
            let result: Result<Value, StoreError>
            do throws(StoreError) { result = .success(try await operation()) } catch { result = .failure(error) }
            completion(result)
        }
    }.get()
}

/// Waits on the calling thread until a completion is called.
func called<Value: Sendable>(_ start: (@escaping @Sendable (Value) -> Void) -> Void) -> Value {
    let (value, isThere) = (OneValue<Value>(), DispatchSemaphore(value: 0))
    start {
        value.set($0)
        isThere.signal()
    }
    isThere.wait()
    return value.get()
}

/// What a thread leaves for another.
private final class OneValue<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)

    func set(_ new: Value) { value.withLock { $0 = new } }

    func get() -> Value { value.withLock { $0! } }
}
