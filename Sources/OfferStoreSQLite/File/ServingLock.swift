public import OfferStore

/// A lock that shows that this process serves a store. Held until the process ends.
public struct ServingLock: Sendable {
    // A killed service may take a moment to exit.
    private static let patience = Duration.seconds(1)

    private let lock: StoreLock
    /// Whether this process holds the lock.
    public let isHeld: Bool

    /// Throws `inUse` if another process of this machine serves the store.
    ///
    /// - Parameters:
    ///   - path: the store's path.
    ///   - isNeeded: whether to throw if another process has the lock; otherwise this process goes on without it.
    public init(path: String, isNeeded: Bool = true) throws(StoreError) {
        lock = try StoreLock(.serving, of: path)
        isHeld = lock.take(patience: ServingLock.patience)
        if isHeld {
            lock.sign()
            return
        }
        guard !isNeeded else {
            let holder = lock.holder.map { " (process \($0))" } ?? ""
            lock.release()
            throw StoreError(
                .inUse,
                "\(path): another service of this machine\(holder) works on this store; stop it, give this one another store.sqlite, "
                    + "or say --allow-second-process if both are meant")
        }
    }

    /// Forgets how far the store has come, before another store takes its place.
    public static func forgetPosition(path: String) throws(StoreError) { try StoreLock.note("", of: path) }

    /// Releases the lock.
    public func release() { lock.release() }
}
