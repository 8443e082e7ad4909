import OfferStore

/// A write that shows whether the store can be written, at most once a second: whoever may ask is a stranger.
actor StoreProbe {
    private static let lifetime = Duration.seconds(1)

    private let probe: @Sendable () async throws(StoreError) -> Void
    private var last: (result: Result<Void, StoreError>, end: ContinuousClock.Instant)?
    private var running: Task<Result<Void, StoreError>, Never>?

    init(_ probe: @escaping @Sendable () async throws(StoreError) -> Void) { self.probe = probe }

    /// Throws what the write of this second has thrown.
    func run() async throws(StoreError) {
        if let last, ContinuousClock.now - last.end < StoreProbe.lifetime { return try last.result.get() }
        let task = running ?? Task { [probe] in await Result { () async throws(StoreError) in try await probe() } }
        running = task
        let result = await task.value
        // Who waited for the same write finds that it is done.
        if running == task {
            running = nil
            last = (result, .now)
        }
        try result.get()
    }
}

extension Result {
    fileprivate init(_ body: () async throws(Failure) -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
